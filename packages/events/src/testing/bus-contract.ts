import { systemClock, systemRandom } from '@steward/kernel';
import type { Store } from '@steward/store';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bus, SubscribeOptions } from '../bus.ts';
import { BusUnavailable } from '../errors.ts';
import { openOutbox } from '../outbox.ts';
import type { OutgoingEvent } from '../outgoing.ts';
import type { ReceivedEvent } from '../received.ts';
import type { Relay } from '../relay.ts';
import { startRelay } from '../start-relay.ts';
import { created, createdEvent, deactivated, deactivatedEvent } from './sample-facts.ts';

/** A broker for one test, initially empty. */
export interface BusRig {
  /** Contains the outboxes. */
  readonly store: Store;
  /** Closes the previous bus, and connects a new one as a starting process does. */
  connect(): Promise<Bus>;
  /** Closes the bus and the store. */
  close(): Promise<void>;
}

type Sample = typeof created | typeof deactivated;
type Handler = (event: ReceivedEvent<Sample>) => Promise<void>;

/** Short enough for tests, and long enough that a wrong order shows. */
const FAST = { redeliveryDelaysMs: [1, 2] } as const;
/** How long an expected result may take, in milliseconds. */
const PATIENCE_MS = 30_000;

const eventually = <T>(check: () => T | Promise<T>) =>
  vi.waitFor(check, { timeout: PATIENCE_MS, interval: 5 });

/** Declares the tests that every implementation of the bus must pass. */
export function busContract(name: string, open: () => Promise<BusRig>): void {
  describe(name, () => {
    let rig: BusRig;
    let bus: Bus;

    beforeEach(async () => {
      rig = await open();
      bus = await rig.connect();
    });
    afterEach(() => rig.close());

    /** Publishes in order, without waiting for consumers. */
    const send = (...events: readonly OutgoingEvent[]) => {
      for (const event of events) bus.publish(event).catch(() => {});
    };
    const consume = (durable: string, handler: Handler, options: Partial<SubscribeOptions<Sample>> = {}) =>
      bus.subscribe<Sample>({ durable, facts: [created, deactivated], handler, ...FAST, ...options });
    const relayOver = (over: Bus): Promise<Relay> =>
      startRelay({
        store: rig.store,
        service: 'user',
        bus: over,
        clock: systemClock,
        random: systemRandom,
        pausesMs: [1, 5],
      });

    it('delivers an event with its envelope and its fact', async () => {
      const events: unknown[] = [];
      await consume('reader', async (event) => {
        if (event.type === 'user.deactivated') events.push({ ...event, fact: event.fact.erased });
      });
      send(createdEvent('@a:test', 1), deactivatedEvent('@a:test', 2));
      await eventually(() => expect(events).toHaveLength(1));
      expect(events).toEqual([
        { ...deactivatedEvent('@a:test', 2), type: 'user.deactivated', fact: true, deliveryCount: 1 },
      ]);
    });

    it('delivers to every consumer the facts that it subscribed to, and no others', async () => {
      const both: string[] = [];
      const one: string[] = [];
      await consume('both', async (event) => void both.push(event.id));
      await consume('one', async (event) => void one.push(event.id), { facts: [deactivated] });
      send(createdEvent('a', 1), deactivatedEvent('a', 2), createdEvent('b', 1), deactivatedEvent('b', 2));
      await eventually(() => expect(both).toHaveLength(4));
      await eventually(() => expect(one).toHaveLength(2));
      expect(both.toSorted()).toEqual(['a.1', 'a.2', 'b.1', 'b.2']);
      expect(one.toSorted()).toEqual(['a.2', 'b.2']);
    });

    it('starts handlers in the order of publication, before earlier ones of the aggregate end', async () => {
      const started: string[] = [];
      const all = Promise.withResolvers<void>();
      const handler: Handler = async ({ id }) => {
        started.push(id);
        if (started.length === 40) all.resolve();
        await all.promise;
      };
      await consume('one', handler, { startsInOrder: true, concurrency: 64 });
      const events = Array.from({ length: 40 }, (_, i) => createdEvent(i % 3 === 0 ? 'a' : `b${i}`, i));
      send(...events);
      await eventually(() => expect(started).toHaveLength(40));
      expect(started).toEqual(events.map(({ id }) => id));
    });

    it('keeps the order within an aggregate when handlers fail', async () => {
      const relay = await relayOver(bus);
      const outbox = await openOutbox(rig.store, 'user');
      const handled: string[] = [];
      const failuresLeft = new Map<string, number>();
      await consume('one', async ({ id }) => {
        const left = failuresLeft.get(id) ?? 0;
        failuresLeft.set(id, left - 1);
        if (left > 0) throw new Error('not yet');
        handled.push(id);
      });
      let round = 0;
      const plans = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat({ max: 2 })), { maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(plans, async (plan) => {
          round++;
          handled.length = 0;
          const events = plan.map(([aggregate, failures], i) => {
            const event = createdEvent(`${aggregate}${round}`, i);
            failuresLeft.set(event.id, failures);
            return event;
          });
          for (const event of events) {
            await outbox.add([event]);
            relay.notify();
          }
          await eventually(() => expect(handled).toHaveLength(events.length));
          for (const aggregate of ['a', 'b', 'c']) {
            const ids = events.map((event) => event.id).filter((id) => id.startsWith(aggregate));
            expect(handled.filter((id) => id.startsWith(aggregate))).toEqual(ids);
          }
        }),
        { numRuns: 12 },
      );
      await relay.close();
    });

    it('redelivers an event after a failure, before the later ones of its aggregate', async () => {
      const log: string[] = [];
      await consume('one', async ({ id, deliveryCount }) => {
        log.push(`${id} ${deliveryCount}`);
        if (id === 'a.1' && deliveryCount < 3) throw new Error('not yet');
      });
      send(createdEvent('a', 1), createdEvent('a', 2));
      await eventually(() => expect(log).toHaveLength(4));
      expect(log).toEqual(['a.1 1', 'a.1 2', 'a.1 3', 'a.2 1']);
    });

    it('delivers other aggregates while a handler is slow or fails', async () => {
      const gate = Promise.withResolvers<void>();
      const handled: string[] = [];
      const options = { concurrency: 2, redeliveryDelaysMs: [60_000] };
      const handler: Handler = async ({ aggregate, id }) => {
        if (aggregate === 'slow') await gate.promise;
        if (aggregate === 'failing') throw new Error('never');
        handled.push(id);
      };
      await consume('one', handler, options);
      send(createdEvent('slow', 1), createdEvent('slow', 2), createdEvent('failing', 1));
      send(...Array.from({ length: 20 }, (_, i) => createdEvent(`other${i}`, 1)));
      await eventually(() => expect(handled).toHaveLength(20));
      gate.resolve();
      await eventually(() => expect(handled.slice(20)).toEqual(['slow.1', 'slow.2']));
    });

    it('runs at most the configured number of handlers concurrently', async () => {
      let running = 0;
      let most = 0;
      let handled = 0;
      const handler: Handler = async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        handled++;
      };
      await consume('one', handler, { concurrency: 3 });
      send(...Array.from({ length: 40 }, (_, i) => createdEvent(`a${i}`, 1)));
      await eventually(() => expect(handled).toBe(40));
      expect(most).toBe(3);
    });

    it('recognises an event that is published twice', async () => {
      const handled: string[] = [];
      await consume('one', async ({ id }) => void handled.push(id));
      await Promise.all([bus.publish(createdEvent('a', 1)), bus.publish(createdEvent('a', 1))]);
      await bus.publish(createdEvent('a', 1));
      await bus.publish(createdEvent('a', 2));
      await eventually(() => expect(handled).toContain('a.2'));
      expect(handled).toEqual(['a.1', 'a.2']);
    });

    it('stores a dead letter after the last delivery and continues with the aggregate', async () => {
      const log: string[] = [];
      const handler: Handler = async ({ id }) => {
        log.push(id);
        if (id === 'a.1') throw new Error('no such room');
      };
      await consume('one', handler, { maxDeliveries: 3 });
      send(createdEvent('a', 1), createdEvent('a', 2));
      await eventually(() => expect(log).toContain('a.2'));
      expect(log).toEqual(['a.1', 'a.1', 'a.1', 'a.2']);
      const deadLetters = await bus.deadLetters.list({ limit: 10 });
      expect(deadLetters).toEqual([
        {
          id: expect.any(String),
          durable: 'one',
          event: createdEvent('a', 1),
          error: 'Error: no such room',
          deliveries: 3,
          timeMs: expect.any(Number),
        },
      ]);
    });

    it('knows how many events each consumer has yet to handle, and how many dead letters there are', async () => {
      const gate = Promise.withResolvers<void>();
      const handled: string[] = [];
      await consume('idle', async () => {});
      await consume(
        'slow',
        async ({ id }) => {
          await gate.promise;
          if (id === 'a.1') throw new Error('never');
          handled.push(id);
        },
        { maxDeliveries: 1 },
      );
      expect(bus.connected).toBe(true);
      send(createdEvent('a', 1), createdEvent('a', 2), createdEvent('b', 1));
      await eventually(async () =>
        expect([...(await bus.pending())].sort()).toEqual([
          ['idle', 0],
          ['slow', 3],
        ]),
      );
      expect(await bus.deadLetters.count()).toBe(0);
      gate.resolve();
      await eventually(() => expect(handled.toSorted()).toEqual(['a.2', 'b.1']));
      await eventually(async () => expect((await bus.pending()).get('slow')).toBe(0));
      expect(await bus.deadLetters.count()).toBe(1);
    });

    it('stores an unparsable fact as a dead letter', async () => {
      const handled: string[] = [];
      await consume('one', async ({ id }) => void handled.push(id), { maxDeliveries: 1 });
      send({ ...createdEvent('a', 1), fact: new Uint8Array([255]) }, createdEvent('a', 2));
      await eventually(() => expect(handled).toEqual(['a.2']));
      expect(await bus.deadLetters.list({ limit: 10 })).toMatchObject([{ event: { id: 'a.1' } }]);
    });

    it('lists dead letters page by page', async () => {
      const handler: Handler = async () => {
        throw new Error('never');
      };
      await consume('one', handler, { maxDeliveries: 1 });
      await consume('two', handler, { maxDeliveries: 1 });
      send(createdEvent('a', 1), createdEvent('b', 1));
      const list = bus.deadLetters.list;
      const all = await eventually(async () => {
        const deadLetters = await list({ limit: 10 });
        expect(deadLetters).toHaveLength(4);
        return deadLetters;
      });
      const first = await list({ limit: 3 });
      const after = first.at(-1)?.id ?? '';
      const second = await list({ limit: 3, after });
      expect([...first, ...second]).toEqual(all);
      expect(first).toHaveLength(3);
      expect(await list({ limit: 3, after: second.at(-1)?.id ?? '' })).toEqual([]);
    });

    it('replays a dead letter to its consumer only, until it succeeds', async () => {
      let works = false;
      const log: string[] = [];
      const others: string[] = [];
      const handler: Handler = async ({ id, deliveryCount }) => {
        log.push(`${id} ${deliveryCount}`);
        if (!works) throw new Error('not yet');
      };
      await consume('one', handler, { maxDeliveries: 2 });
      await consume('two', async ({ id }) => void others.push(id));
      send(createdEvent('a', 1));
      const deadLetterId = () =>
        eventually(async () => {
          const [found] = await bus.deadLetters.list({ limit: 10 });
          if (!found) throw new Error('no dead letter yet');
          return found.id;
        });
      const first = await deadLetterId();
      expect(await bus.deadLetters.replay(first)).toBe(true);
      await eventually(() => expect(log).toEqual(['a.1 1', 'a.1 2', 'a.1 1', 'a.1 2']));

      const second = await deadLetterId();
      works = true;
      await eventually(async () => expect(await bus.deadLetters.replay(second)).toBe(true));
      await eventually(() => expect(log).toHaveLength(5));
      await eventually(async () => expect(await bus.deadLetters.list({ limit: 10 })).toEqual([]));
      expect(await bus.deadLetters.replay(second)).toBe(false);
      expect(others).toEqual(['a.1']);
    });

    it('finds, replays and drops nothing for an unknown id', async () => {
      for (const id of ['nothing', '1', '0', '-1', '1e1', '', '9'.repeat(30), 'one/x\u0000']) {
        expect(await bus.deadLetters.find(id)).toBeUndefined();
        expect(await bus.deadLetters.replay(id)).toBe(false);
        expect(await bus.deadLetters.drop(id)).toBe(false);
        expect(await bus.deadLetters.list({ limit: 10, after: id })).toEqual([]);
      }
    });

    it('drops one dead letter, and keeps the others across a restart', async () => {
      const handler: Handler = async () => {
        throw new Error('never');
      };
      await consume('one', handler, { maxDeliveries: 1 });
      await bus.publish(createdEvent('a', 1));
      await bus.publish(createdEvent('b', 1));
      const deadLetters = await eventually(async () => {
        const found = await bus.deadLetters.list({ limit: 10 });
        expect(found).toHaveLength(2);
        return found;
      });
      const [kept, dropped] = deadLetters.map(({ id }) => id) as [string, string];
      expect(await bus.deadLetters.find(kept)).toEqual(deadLetters[0]);
      const outcomes = await Promise.all([bus.deadLetters.drop(dropped), bus.deadLetters.drop(dropped)]);
      expect(outcomes).toContain(true);
      expect(await bus.deadLetters.drop(dropped)).toBe(false);
      expect(await bus.deadLetters.list({ limit: 10, after: kept })).toEqual([]);
      bus = await rig.connect();
      expect(await bus.deadLetters.list({ limit: 10 })).toMatchObject([{ id: kept }]);
    });

    it('loses no event when it is stopped and started again', async () => {
      const outbox = await openOutbox(rig.store, 'user');
      const before: string[] = [];
      const stuck: Handler = async ({ id }) => {
        if (id === 'b.2') throw new Error('not while this process lives');
        before.push(id);
      };
      await consume('one', stuck, { redeliveryDelaysMs: [60_000] });
      const relay = await relayOver(bus);
      const events = ['a', 'b', 'c'].flatMap((aggregate) =>
        [1, 2, 3].map((sequence) => createdEvent(aggregate, sequence)),
      );
      await outbox.add(events);
      relay.notify();
      await eventually(() => expect(before).toHaveLength(7));
      await bus.close();
      await relay.close();

      bus = await rig.connect();
      const after: string[] = [];
      await consume('one', async ({ id }) => void after.push(id));
      const next = await relayOver(bus);
      await eventually(() => expect(after).toContain('b.3'));
      await next.whenIdle();
      await next.close();
      expect(after).toEqual(['b.2', 'b.3']);
      expect(before.filter((id) => id.startsWith('a'))).toEqual(['a.1', 'a.2', 'a.3']);
    });

    it('waits for running handlers when a subscription is closed, and continues with the next one', async () => {
      const gate = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      const handled: string[] = [];
      const subscription = await consume('one', async ({ id }) => {
        started.resolve();
        await gate.promise;
        handled.push(id);
      });
      send(createdEvent('a', 1));
      await started.promise;
      const closing = subscription.close().then(() => handled.push('closed'));
      gate.resolve();
      await closing;
      expect(handled).toEqual(['a.1', 'closed']);
      await consume('one', async ({ id }) => void handled.push(id));
      send(createdEvent('a', 2));
      await eventually(() => expect(handled).toEqual(['a.1', 'closed', 'a.2']));
    });

    it('notifies each listener of a topic until it stops', async () => {
      const notified: string[] = [];
      const stop = bus.onNotification('room !a:test', () => notified.push('a'));
      bus.onNotification('room !a:test', () => notified.push('a too'));
      bus.onNotification('room !b:test', () => notified.push('b'));
      bus.notify('room !a:test');
      bus.notify('without listeners');
      await eventually(() => expect(notified).toEqual(['a', 'a too']));
      stop();
      stop();
      bus.notify('room !a:test');
      await eventually(() => expect(notified).toEqual(['a', 'a too', 'a too']));
    });

    it('refuses options that break the rules', async () => {
      const handler: Handler = async () => {};
      await expect(consume('Not.A.Name', handler)).rejects.toThrow(TypeError);
      await expect(consume('one', handler, { facts: [] })).rejects.toThrow(TypeError);
      await expect(consume('one', handler, { maxDeliveries: 0 })).rejects.toThrow(TypeError);
      await expect(consume('one', handler, { concurrency: 0 })).rejects.toThrow(TypeError);
      await expect(consume('one', handler, { redeliveryDelaysMs: [] })).rejects.toThrow(TypeError);
      await consume('one', handler);
      await expect(consume('one', handler)).rejects.toThrow(TypeError);
    });

    it('refuses publications and subscriptions after it was closed', async () => {
      await bus.close();
      await expect(bus.publish(createdEvent('a', 1))).rejects.toThrow(BusUnavailable);
      await expect(consume('one', async () => {})).rejects.toThrow(BusUnavailable);
    });
  });
}
