import { loadConfig } from '@steward/config';
import { createJetStreamBus, openStreamCopy } from '@steward/events';
import { systemClock, systemRandom } from '@steward/kernel';
import { requireEngine, startFaultyProxy } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLimits } from './mod.ts';

const NATS_PORT = 4222;

const nats = requireEngine('nats');
const url = nats.url ?? '';
const eventually = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 5 });

/** So slow that nothing leaks during a test. */
const RATE = { per_second: 0.0001, burst: 8 };
const KEY = '@alice:test';

const config = loadConfig({
  env: {
    STEWARD_INTERNAL_CREDENTIAL: 'a secret of all processes',
    STEWARD_CONFIG_OVERRIDES: JSON.stringify({ rate_limits: { login_failed: RATE } }),
  },
});

describe.skipIf(!nats.url)(nats.title, () => {
  describe('Limits of four instances', () => {
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
      const streams = await openStreamCopy({ broker: { servers: url }, namespace });
      await streams.remove();
      await streams.close();
    };

    const start = async (servers = url) => {
      const bus = await createJetStreamBus({
        broker: { servers },
        namespace,
        clock: systemClock,
        random: systemRandom,
      });
      const limits = await openLimits({
        service: 'user',
        config,
        clock: systemClock,
        random: systemRandom,
        bus,
      });
      closers.push(async () => {
        limits.close();
        await bus.close();
      });
      const isAdmitted = (act: () => void) => {
        try {
          act();
          return true;
        } catch {
          return false;
        }
      };
      return {
        takes: (key = KEY) => isAdmitted(() => limits.loginFailed.take(key)),
        has: (left: number) => isAdmitted(() => limits.loginFailed.check(KEY, left)),
      };
    };

    it('four instances together admit the configured burst; a fifth, started later, admits nothing', async () => {
      const instances = await Promise.all([start(), start(), start(), start()]);
      let admitted = 0;
      // One after the other, each as soon as it has learned of the others' actions.
      for (let turn = 0; turn < RATE.burst; turn++) {
        if (instances[turn % 4]?.takes()) admitted++;
        const left = RATE.burst - admitted;
        await eventually(() => {
          for (const instance of instances) expect(instance.has(left + 1)).toBe(false);
        });
      }
      expect(admitted).toBe(RATE.burst);
      expect(instances.map(({ takes }) => takes())).toEqual([false, false, false, false]);
      const fifth = await start();
      await eventually(() => expect(fifth.has(1)).toBe(false));
      expect(instances[0]?.takes('@bob:test')).toBe(true);
    });

    it('limits of four instances are those of each instance without the broker, and shared again when it is back', async () => {
      const proxy = await startFaultyProxy(url, NATS_PORT);
      closers.push(() => proxy.cut());
      const [near, far] = [await start(), await start(proxy.url)];
      near.takes();
      await eventually(() => expect(far.has(RATE.burst)).toBe(false));
      await proxy.cut();
      for (let count = 0; count < 3; count++) near.takes();
      for (let count = 1; count < RATE.burst; count++) expect(far.takes()).toBe(true);
      expect(far.takes()).toBe(false);
      await proxy.repair();
      // What both counted in this time is more than the burst.
      await eventually(() => expect(near.has(1)).toBe(false));
    });
  });
});
