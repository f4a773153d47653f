import { systemClock, systemRandom } from '@steward/kernel';
import { expect, it } from 'vitest';
import { type Thing, thing, things } from './contract/thing.ts';
import { Conflict } from './port/errors.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { openSqliteStore } from './sqlite/open.ts';

/** A clock that advances with each wait, and a random source that always returns the longest wait. */
const setUp = () => {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    deps: {
      clock: { now: () => now },
      random: { bytes: () => Buffer.alloc(0), below: (bound: number) => bound - 1 },
    },
    wait: async (ms: number) => {
      waits.push(ms);
      now += ms;
    },
  };
};
const total = (waits: readonly number[]) => waits.reduce((a, b) => a + b);
const lose = () => Promise.reject(new Conflict('version'));

it('decides again until the commit succeeds, with growing waits', async () => {
  const { waits, deps, wait } = setUp();
  let lost = 3;
  const work = async () => {
    if (lost-- > 0) throw new Conflict('version');
    return 'won';
  };
  expect(await retryOnConflict(work, deps, { wait })).toBe('won');
  expect(waits).toEqual([4, 8, 16]);
});

it('gives up after the given time', async () => {
  const { waits, deps, wait } = setUp();
  await expect(retryOnConflict(lose, deps, { withinMs: 1_000, wait })).rejects.toThrow(Conflict);
  expect(total(waits)).toBeLessThanOrEqual(1_000);
  expect(waits.length).toBeGreaterThan(6);
});

it('gives up after 20 s by default', async () => {
  const { waits, deps, wait } = setUp();
  await expect(retryOnConflict(lose, deps, { wait })).rejects.toThrow(Conflict);
  expect(total(waits)).toBeLessThanOrEqual(20_000);
  expect(total(waits)).toBeGreaterThan(19_000);
});

it('does not retry other errors', async () => {
  const { waits, deps, wait } = setUp();
  const failing = (error: Error) => retryOnConflict(() => Promise.reject(error), deps, { wait });
  await expect(failing(new Conflict('code'))).rejects.toThrow('code');
  await expect(failing(new Error('other'))).rejects.toThrow('other');
  expect(waits).toEqual([]);
});

it('completes the changes of all concurrent writers of one document', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const collection = await store.collection<Thing>(things);
  await collection.insertOne(thing('a', { count: 0 }));
  const increment = async () => {
    const { version } = (await collection.findOne({ _id: 'a' })) as Thing;
    const { matchedCount } = await collection.updateOne(
      { _id: 'a', version },
      { $inc: { count: 1, version: 1 } },
    );
    if (matchedCount === 0) throw new Conflict('version');
  };
  const deps = { clock: systemClock, random: systemRandom };
  const wait = () => new Promise<void>((resolve) => setImmediate(resolve));
  await Promise.all(Array.from({ length: 10 }, () => retryOnConflict(increment, deps, { wait })));
  expect(await collection.findOne({ _id: 'a' })).toMatchObject({ count: 10, version: 11 });
  await store.close();
});
