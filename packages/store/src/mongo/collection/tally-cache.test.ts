import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { TallyCache } from './tally-cache.ts';

function counting() {
  const clock = createFakeClock();
  let counted = 0;
  const cache = new TallyCache(async () => new Map([['counted', ++counted]]), clock);
  const read = async () => (await cache.read()).get('counted');
  return { clock, cache, read };
}

it('caches a count for a second from the start of counting', async () => {
  const { clock, read } = counting();
  expect(await read()).toBe(1);
  clock.advance(999);
  expect(await read()).toBe(1);
  clock.advance(1);
  expect(await read()).toBe(2);
});

it('shares a count in progress', async () => {
  const { read } = counting();
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
});

it('counts again after a change, even when a count was in progress', async () => {
  const { cache, read } = counting();
  const before = read();
  cache.drop();
  expect(await read()).toBe(2);
  expect(await before).toBe(1);
  expect(await read()).toBe(2);
});

it('does not cache a failure', async () => {
  const outcomes = [Promise.reject(new Error('away')), Promise.resolve(new Map())];
  const cache = new TallyCache(() => outcomes.shift() ?? Promise.reject(), createFakeClock());
  await expect(cache.read()).rejects.toThrow('away');
  expect(await cache.read()).toEqual(new Map());
});
