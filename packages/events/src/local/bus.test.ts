import { systemClock, systemRandom } from '@steward/kernel';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { Bus } from '../bus.ts';
import { BusUnavailable } from '../errors.ts';
import { type BusRig, busContract } from '../testing/bus-contract.ts';
import { created, createdEvent } from '../testing/sample-facts.ts';
import { createLocalBus } from './bus.ts';

busContract('The bus of one process', async (): Promise<BusRig> => {
  const store = await openSqliteStore({ path: ':memory:' });
  let bus: Bus | undefined;
  return {
    store,
    async connect() {
      await bus?.close();
      bus = await createLocalBus({ store, clock: systemClock, random: systemRandom });
      return bus;
    },
    async close() {
      await bus?.close();
      await store.close();
    },
  };
});

/** A bus on its own store, and the ids of the events that its consumer `one` has handled. */
async function recordingBus(subscribed?: Promise<void>) {
  const store = await openSqliteStore({ path: ':memory:' });
  const engine = { store, clock: systemClock, random: systemRandom };
  const bus = await createLocalBus(subscribed ? { ...engine, subscribed } : engine);
  onTestFinished(async () => {
    await bus.close();
    await store.close();
  });
  const handled: string[] = [];
  const handler = async ({ id }: { id: string }) => void handled.push(id);
  return { bus, handled, subscribe: () => bus.subscribe({ durable: 'one', facts: [created], handler }) };
}

it('holds publications until every consumer has subscribed', async () => {
  const subscribed = Promise.withResolvers<void>();
  const { bus, handled, subscribe } = await recordingBus(subscribed.promise);
  const early = bus.publish(createdEvent('a', 1));
  const subscription = await subscribe();
  subscribed.resolve();
  await early;
  expect(handled).toEqual(['a.1']);
  await subscription.close();
});

it('rejects waiting publications when it is closed', async () => {
  const { bus } = await recordingBus(new Promise(() => {}));
  const waiting = expect(bus.publish(createdEvent('a', 1))).rejects.toThrow(BusUnavailable);
  await bus.close();
  await waiting;
});

it('refuses the facts of a closed consumer until it has subscribed again', async () => {
  const { bus, handled, subscribe } = await recordingBus();
  await (await subscribe()).close();
  await expect(bus.publish(createdEvent('a', 1))).rejects.toThrow(BusUnavailable);
  await subscribe();
  await bus.publish(createdEvent('a', 1));
  expect(handled).toEqual(['a.1']);
});

it('removes dead letters after 90 days', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const clock = createFakeClock();
  const bus = await createLocalBus({ store, clock, random: systemRandom });
  onTestFinished(async () => {
    await bus.close();
    await store.close();
  });
  const handler = () => Promise.reject(new Error('never'));
  await bus.subscribe({ durable: 'one', facts: [created], handler, maxDeliveries: 1 });
  const kept = async () => (await bus.deadLetters.list({ limit: 10 })).map(({ event }) => event.id);
  await bus.publish(createdEvent('a', 1));
  clock.advance(90 * 24 * 60 * 60_000 - 1);
  expect(await kept()).toEqual(['a.1']);
  clock.advance(1);
  expect(await kept()).toEqual([]);
  expect(await bus.deadLetters.replay('one/a.1')).toBe(false);
  await bus.publish(createdEvent('b', 1));
  expect(await kept()).toEqual(['b.1']);
});
