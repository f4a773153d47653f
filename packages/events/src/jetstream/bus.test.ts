import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { systemClock, systemRandom } from '@steward/kernel';
import { openSqliteStore } from '@steward/store';
import { createFakeClock, requireEngine, startFaultyProxy } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus } from '../bus.ts';
import { BusUnavailable } from '../errors.ts';
import { openOutbox } from '../outbox.ts';
import { startRelay } from '../start-relay.ts';
import { type BusRig, busContract } from '../testing/bus-contract.ts';
import { created, createdEvent } from '../testing/sample-facts.ts';
import { createJetStreamBus, type JetStreamBusOptions } from './bus.ts';
import { namesIn } from './names.ts';
import { parseServers } from './parse-servers.ts';

const NATS_PORT = 4222;

const nats = requireEngine('nats');
const url = nats.url ?? '';
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 5 });
const newNamespace = () => `test_${systemRandom.bytes(6).toString('hex')}`;
const randomBus = (namespace: string, options: Partial<JetStreamBusOptions> = {}) =>
  createJetStreamBus({
    broker: { servers: url },
    namespace,
    clock: systemClock,
    random: systemRandom,
    ...options,
  });

/** Waits until the broker has answered, because on a busy machine that may take longer than opening the bus waits. */
async function connected(bus: Bus): Promise<Bus> {
  await eventually(() => bus.deadLetters.list({ limit: 1 }));
  return bus;
}

/** Removes the streams that a test created on the broker. */
async function sweepBroker(namespace: string): Promise<void> {
  const { stream, deadLetterStream, publicStream } = namesIn(namespace);
  await withManager(async (jsm) => {
    for (const name of [stream, deadLetterStream, publicStream])
      await jsm.streams.delete(name).catch(() => {});
  });
}

async function withManager<T>(work: (jsm: JetStreamManager) => Promise<T>): Promise<T> {
  const nc = await connect(parseServers(url));
  try {
    return await work(await jetstreamManager(nc));
  } finally {
    await nc.close();
  }
}

describe.skipIf(!nats.url)(nats.title, () => {
  busContract('The bus over JetStream', async (): Promise<BusRig> => {
    const store = await openSqliteStore({ path: ':memory:' });
    const namespace = newNamespace();
    let bus: Bus | undefined;
    return {
      store,
      async connect() {
        await bus?.close();
        bus = await connected(await randomBus(namespace));
        return bus;
      },
      async close() {
        await bus?.close();
        await store.close();
        await sweepBroker(namespace);
      },
    };
  });

  describe('The bus over JetStream, with several processes and a failing broker', () => {
    let namespace: string;
    let closers: (() => Promise<void>)[];
    const open = async (options: Partial<JetStreamBusOptions> = {}): Promise<Bus> => {
      const bus = await randomBus(namespace, options);
      closers.push(() => bus.close());
      return options.broker === undefined ? connected(bus) : bus;
    };

    beforeEach(() => {
      namespace = newNamespace();
      closers = [() => sweepBroker(namespace)];
    });
    afterEach(async () => {
      for (const close of closers.toReversed()) await close();
    });

    it('stores each message of the public stream once, behind the one that its publisher knows', async () => {
      const publicStream = async () => {
        const stream = (await open()).openPublicStream?.({ retentionMs: 60_000 });
        if (!stream) throw new Error('This bus has a broker');
        return stream;
      };
      const [one, two] = [await publicStream(), await publicStream()];
      const message = (position: number) => ({ id: `evt_${position}`, type: 'a.b', position, json: '{}' });
      expect(await one.end()).toEqual({ seq: 0 });
      expect(await one.publish(message(1), 0)).toBe(1);
      // The other one was slower, or tries again because it had no answer.
      expect(await two.publish(message(1), 0)).toBeUndefined();
      expect(await two.publish(message(2), 0)).toBeUndefined();
      expect(await two.end()).toEqual({ seq: 1, last: { id: 'evt_1', position: 1 } });
      expect(await two.publish(message(2), 1)).toBe(2);
      expect(await one.publish(message(3), 1)).toBeUndefined();
      await withManager(async (jsm) => {
        const { publicStream: name, publicSubject } = namesIn(namespace);
        const { state } = await jsm.streams.info(name, { subjects_filter: '>' });
        expect(state.subjects).toEqual({ [publicSubject('a.b')]: 2 });
        await jsm.streams.purge(name);
      });
      expect(await one.end()).toEqual({ seq: 2 });
      expect(await one.publish(message(3), 2)).toBe(3);
    });

    it('keeps the order when one instance replaces another', async () => {
      const handled: string[] = [];
      const durable = 'one';
      const facts = [created];
      const handler = async ({ id }: { id: string }) => {
        await new Promise((resolve) => setImmediate(resolve));
        handled.push(id);
      };
      const publisher = await open();
      let instance = await open();
      await instance.subscribe({ durable, facts, handler });
      const ids: string[] = [];
      for (let round = 0; round < 4; round++) {
        const next = await open();
        await next.subscribe({ durable, facts, handler });
        for (let i = 0; i < 30; i++) {
          const event = createdEvent(`a${i % 3}`, round * 30 + i);
          ids.push(event.id);
          await publisher.publish(event);
        }
        await instance.close();
        instance = next;
      }
      await eventually(() => expect(handled.length).toBeGreaterThanOrEqual(ids.length));
      for (const aggregate of ['a0', 'a1', 'a2']) {
        const of = (list: string[]) => list.filter((id) => id.startsWith(`${aggregate}.`));
        expect(of(handled)).toEqual(of(ids));
      }
    });

    it('delivers the unacknowledged events of a crashed process before later ones', async () => {
      const { stream } = namesIn(namespace);
      const options = { ackWaitMs: 1_000, takeoverMs: 2_000 };
      const first = await open(options);
      const subscription = await first.subscribe({
        durable: 'one',
        facts: [created],
        handler: async () => {},
      });
      await eventually(() => withManager((jsm) => jsm.consumers.info(stream, 'one')));
      await subscription.close();
      const ids = Array.from({ length: 9 }, (_, i) => `a.${i}`);
      for (let i = 0; i < 9; i++) await first.publish(createdEvent('a', i));

      const crashing = await connect(parseServers(url));
      const consumer = await jetstream(crashing).consumers.get(stream, 'one');
      const messages = await consumer.consume({ max_messages: 3, group: 'instances' });
      let received = 0;
      for await (const message of messages) {
        if (message.seq === 2) message.ack();
        if (++received === 4) break;
      }
      await crashing.close();

      const handled: string[] = [];
      const next = await open(options);
      const handler = async ({ id }: { id: string }) => void handled.push(id);
      await next.subscribe({ durable: 'one', facts: [created], handler });
      await eventually(() => expect(handled).toHaveLength(8));
      expect(handled).toEqual(ids.filter((id) => id !== 'a.1'));
    });

    it('does not redeliver an event while a slow handler processes it', async () => {
      const { stream } = namesIn(namespace);
      // Long enough for a process on a busy machine to stall without missing its heartbeats.
      const ackWaitMs = 2_000;
      const bus = await open({ ackWaitMs });
      const handled: string[] = [];
      const handler = async ({ id }: { id: string }) => {
        await new Promise((resolve) => setTimeout(resolve, 1.5 * ackWaitMs));
        handled.push(id);
      };
      await bus.subscribe({ durable: 'one', facts: [created], handler });
      await bus.publish(createdEvent('a', 1));
      await eventually(() => expect(handled).toEqual(['a.1']));
      const { num_redelivered } = await withManager((jsm) => jsm.consumers.info(stream, 'one'));
      expect(num_redelivered).toBe(0);
    });

    it('gives its events back after a stall that is longer than the acknowledgement wait', async () => {
      const { stream } = namesIn(namespace);
      const clock = createFakeClock();
      const bus = await open({ clock, ackWaitMs: 300 });
      const started = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const handled: string[] = [];
      const handler = async ({ id }: { id: string }) => {
        started.resolve();
        await gate.promise;
        handled.push(id);
      };
      await bus.subscribe({ durable: 'one', facts: [created], handler });
      for (let i = 1; i <= 3; i++) await bus.publish(createdEvent('a', i));
      await started.promise;
      clock.advance(301);
      await eventually(async () => {
        const { num_redelivered } = await withManager((jsm) => jsm.consumers.info(stream, 'one'));
        expect(num_redelivered).toBeGreaterThan(0);
      });
      gate.resolve();
      await eventually(() => expect(handled).toContain('a.3'));
      expect(handled).toEqual(['a.1', 'a.2', 'a.3']);
    });

    it('refuses events while the broker is unreachable, and continues when it is back', async () => {
      const proxy = await startFaultyProxy(url, NATS_PORT);
      closers.push(() => proxy.cut());
      const store = await openSqliteStore({ path: ':memory:' });
      closers.push(() => store.close());
      const bus = await open({ broker: { servers: proxy.url }, ackWaitMs: 500 });
      const handled: string[] = [];
      const handler = async ({ id }: { id: string }) => void handled.push(id);
      await bus.subscribe({ durable: 'one', facts: [created], handler });
      const outbox = await openOutbox(store, 'user');
      const relay = await startRelay({
        store,
        service: 'user',
        bus,
        clock: systemClock,
        random: systemRandom,
        pausesMs: [5, 20],
      });
      closers.push(() => relay.close());
      await outbox.add([createdEvent('a', 1)]);
      expect(await relay.delivered('a', 10_000)).toBe(true);
      await eventually(() => expect(handled).toEqual(['a.1']));

      await proxy.cut();
      await eventually(() => expect(bus.publish(createdEvent('b', 1))).rejects.toThrow(BusUnavailable));
      await outbox.add([createdEvent('a', 2), createdEvent('a', 3)]);
      expect(await relay.delivered('a', 50)).toBe(false);

      await proxy.repair();
      await relay.whenIdle();
      await eventually(() => expect(handled).toEqual(['a.1', 'a.2', 'a.3']));
    });

    it('finishes its unacknowledged events in order when the connection breaks', async () => {
      const proxy = await startFaultyProxy(url, NATS_PORT);
      closers.push(() => proxy.cut());
      const bus = await open({ broker: { servers: proxy.url }, ackWaitMs: 500, takeoverMs: 2_000 });
      const publisher = await open();
      const started = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const handled: string[] = [];
      const handler = async ({ id }: { id: string }) => {
        if (id === 'a.1') {
          started.resolve();
          await gate.promise;
        }
        handled.push(id);
      };
      await bus.subscribe({ durable: 'one', facts: [created], handler });
      for (let i = 1; i <= 5; i++) await publisher.publish(createdEvent('a', i));
      await started.promise;
      await proxy.cut();
      await eventually(() => expect(bus.publish(createdEvent('b', 1))).rejects.toThrow(BusUnavailable));
      gate.resolve();
      await proxy.repair();
      await publisher.publish(createdEvent('a', 6));
      await eventually(() => expect(handled).toContain('a.6'));
      expect(handled).toEqual([1, 2, 3, 4, 5, 6].map((i) => `a.${i}`));
    });

    it('starts without a broker', async () => {
      const proxy = await startFaultyProxy(url, NATS_PORT);
      closers.push(() => proxy.cut());
      await proxy.cut();
      const problems: string[] = [];
      const bus = await open({ broker: { servers: proxy.url }, report: (message) => problems.push(message) });
      const handled: string[] = [];
      const handler = async ({ id }: { id: string }) => void handled.push(id);
      await bus.subscribe({ durable: 'one', facts: [created], handler });
      await expect(bus.publish(createdEvent('a', 1))).rejects.toThrow(BusUnavailable);
      expect(problems).toContain('The broker cannot be reached');
      await proxy.repair();
      await eventually(() => bus.publish(createdEvent('a', 1)));
      await eventually(() => expect(handled).toEqual(['a.1']));
    });

    it('closes quickly while the broker is unreachable', async () => {
      const proxy = await startFaultyProxy(url, NATS_PORT);
      closers.push(() => proxy.cut());
      const bus = await open({ broker: { servers: proxy.url } });
      await bus.subscribe({ durable: 'one', facts: [created], handler: async () => {} });
      await proxy.cut();
      await bus.close();
      await expect(bus.publish(createdEvent('a', 1))).rejects.toThrow(BusUnavailable);
    });

    it('recreates a deleted consumer', async () => {
      const { stream } = namesIn(namespace);
      const bus = await open();
      const handled: string[] = [];
      const handler = async ({ id }: { id: string }) => void handled.push(id);
      await bus.subscribe({ durable: 'one', facts: [created], handler });
      await bus.publish(createdEvent('a', 1));
      await eventually(() => expect(handled).toEqual(['a.1']));
      await withManager((jsm) => jsm.consumers.delete(stream, 'one'));
      await bus.publish(createdEvent('a', 2));
      await eventually(() => expect(handled).toEqual(['a.1', 'a.2']));
    });

    it('recreates a deleted stream', async () => {
      const { stream } = namesIn(namespace);
      const bus = await open();
      const handled: string[] = [];
      const handler = async ({ id }: { id: string }) => void handled.push(id);
      await bus.subscribe({ durable: 'one', facts: [created], handler });
      await bus.publish(createdEvent('a', 1));
      await eventually(() => expect(handled).toEqual(['a.1']));
      await withManager((jsm) => jsm.streams.delete(stream));
      await eventually(() => bus.publish(createdEvent('a', 2)));
      await eventually(() => expect(handled).toEqual(['a.1', 'a.2']));
    });

    it('delivers the facts that a newer version adds to its subscription', async () => {
      const { stream } = namesIn(namespace);
      const bus = await open();
      const first = await bus.subscribe({ durable: 'one', facts: [created], handler: async () => {} });
      await eventually(() => withManager((jsm) => jsm.consumers.info(stream, 'one')));
      await first.close();
      const handled: string[] = [];
      const later = { ...created, type: 'user.later' };
      const handler = async ({ type }: { type: string }) => void handled.push(type);
      await bus.subscribe({ durable: 'one', facts: [created, later], handler });
      await eventually(async () => {
        const { config } = await withManager((jsm) => jsm.consumers.info(stream, 'one'));
        expect(config.filter_subjects).toHaveLength(3);
      });
      await bus.publish({ ...createdEvent('a', 1), type: 'user.later' });
      await eventually(() => expect(handled).toEqual(['user.later']));
    });

    it('skips messages that are not events', async () => {
      const problems: string[] = [];
      const bus = await open({ report: (message) => problems.push(message) });
      const handled: string[] = [];
      const handler = async ({ id }: { id: string }) => void handled.push(id);
      await bus.subscribe({ durable: 'one', facts: [created], handler });
      const nc = await connect(parseServers(url));
      await jetstream(nc).publish(namesIn(namespace).factSubject('user.created'), 'rubbish');
      await nc.close();
      await bus.publish(createdEvent('a', 1));
      await eventually(() => expect(handled).toEqual(['a.1']));
      expect(problems).toEqual(['A message that is not an event was skipped']);
    });

    it('keeps the limits that an operator set on a stream', async () => {
      const { stream } = namesIn(namespace);
      await (await open()).close();
      await withManager((jsm) =>
        jsm.streams.update(stream, { max_msgs: 1_000, subjects: [`${namespace}-elsewhere`] }),
      );
      const bus = await open();
      await bus.publish(createdEvent('a', 1));
      const { config } = await withManager((jsm) => jsm.streams.info(stream));
      expect(config.max_msgs).toBe(1_000);
    });

    it('notifies the waiters in the other processes', async () => {
      const [one, other] = [await open(), await open()];
      const notified: string[] = [];
      one.onNotification('room !a:test', () => notified.push('one'));
      other.onNotification('room !a:test', () => notified.push('other'));
      one.notify('room !a:test');
      await eventually(() => expect(notified).toContain('other'));
      expect(notified).toEqual(['one', 'other']);
    });
  });
});
