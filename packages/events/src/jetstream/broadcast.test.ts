import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { systemClock, systemRandom } from '@steward/kernel';
import { requireEngine, startFaultyProxy } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJetStreamBus } from './bus.ts';
import { namesIn } from './names.ts';
import { parseServers } from './parse-servers.ts';

const NATS_PORT = 4222;

const nats = requireEngine('nats');
const url = nats.url ?? '';
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 5 });

interface Received {
  readonly text: string;
  readonly ageMs: number;
}

describe.skipIf(!nats.url)(nats.title, () => {
  describe('Broadcasts', () => {
    let namespace: string;
    let closers: (() => Promise<void>)[];

    beforeEach(() => {
      namespace = `test_${systemRandom.bytes(6).toString('hex')}`;
      closers = [removeStreams];
    });
    afterEach(async () => {
      for (const close of closers.toReversed()) await close();
    });

    const removeStreams = async () => {
      const nc = await connect(parseServers(url));
      const jsm = await jetstreamManager(nc);
      const { stream, deadLetterStream, broadcastStream } = namesIn(namespace);
      for (const name of [stream, deadLetterStream, broadcastStream])
        await jsm.streams.delete(name).catch(() => {});
      await nc.close();
    };

    /** An instance with its own connection. `clock` is that of its machine. */
    const open = async ({ servers = url, topic = 'user', clock = systemClock } = {}) => {
      const bus = await createJetStreamBus({ broker: { servers }, namespace, clock, random: systemRandom });
      closers.push(() => bus.close());
      const received: Received[] = [];
      let connections = 0;
      const broadcast = await bus.openBroadcast?.({
        topic,
        receive: (message, ageMs) => received.push({ text: Buffer.from(message).toString(), ageMs }),
        connected: () => connections++,
      });
      if (!broadcast) throw new Error('The bus has no broadcasts');
      return {
        received,
        texts: () => received.map(({ text }) => text),
        send: (text: string) => broadcast.send(Buffer.from(text)),
        broadcast,
        connections: () => connections,
      };
    };

    it('reach the other instances of the topic, in order, and not their sender', async () => {
      const [sender, first, second] = [await open(), await open(), await open()];
      const stranger = await open({ topic: 'room' });
      await eventually(() => expect(sender.connections()).toBe(1));
      const texts = Array.from({ length: 200 }, (_, index) => `${index}`);
      for (const text of texts) sender.send(text);
      second.send('end');
      await eventually(() => expect(first.received).toHaveLength(201));
      await eventually(() => expect(second.received).toHaveLength(200));
      await eventually(() => expect(sender.texts()).toEqual(['end']));
      expect(first.texts().filter((text) => text !== 'end')).toEqual(texts);
      expect(first.received.every(({ ageMs }) => ageMs === 0)).toBe(true);
      expect(stranger.received).toEqual([]);
    });

    it('broadcasts are received by an instance that starts later, with their age, whatever its clock shows', async () => {
      const sender = await open();
      await eventually(() => expect(sender.connections()).toBe(1));
      const before = Date.now();
      for (let index = 0; index < 600; index++) sender.send(`${index}`);
      const witness = await open();
      await eventually(() => expect(witness.received).toHaveLength(600));
      // The broker counts the age, so that it grows by what passes here at most.
      const late = await open({ clock: { now: () => systemClock.now() - 1e9 } });
      await eventually(() => expect(late.received).toHaveLength(600));
      const passed = Date.now() - before;
      expect(late.texts()).toEqual(witness.texts());
      for (const { ageMs } of late.received) {
        expect(ageMs).toBeGreaterThanOrEqual(0);
        expect(ageMs).toBeLessThanOrEqual(passed + 1);
      }
    });

    it('of the time without a connection are received after it', async () => {
      const proxy = await startFaultyProxy(url, NATS_PORT);
      closers.push(() => proxy.cut());
      const sender = await open();
      const instance = await open({ servers: proxy.url });
      await eventually(() => expect(instance.connections()).toBe(1));
      sender.send('before');
      await eventually(() => expect(instance.texts()).toContain('before'));
      await proxy.cut();
      await eventually(() => expect(instance.broadcast.isConnected).toBe(false));
      instance.send('lost');
      sender.send('missed');
      await proxy.repair();
      await eventually(() => expect(instance.connections()).toBe(2));
      await eventually(() => expect(instance.texts()).toContain('missed'));
      instance.send('again');
      await eventually(() => expect(sender.texts()).toEqual(['again']));
      // Nothing is received after the topic was closed.
      instance.broadcast.close();
      sender.send('late');
      const witness = await open();
      await eventually(() => expect(witness.texts()).toContain('late'));
      expect(instance.texts()).not.toContain('late');
    });

    it('refuse topics that are not of the documented form', async () => {
      await expect(open({ topic: 'user.>' })).rejects.toThrow(TypeError);
    });
  });
});
