import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { RefusedAttempts } from './refused-attempts.ts';

const DAY_MS = 86_400_000;
const MAX_SINGLE = 3;

function start() {
  const clock = createFakeClock();
  const attempts = new RefusedAttempts(clock, MAX_SINGLE);
  const count = (times: number, userId = '@a:test') =>
    Array.from({ length: times }, () => attempts.count(userId));
  return { clock, count };
}

it('has entries for the first attempts, then one each time that the further ones have doubled', () => {
  const { count } = start();
  expect(count(12)).toEqual([1, 1, 1, 1, 1, 0, 2, 0, 0, 0, 4, 0]);
});

it('has few entries for very many attempts, which stand for at least half of them', () => {
  const { count } = start();
  const entries = count(100_000).filter((attempts) => attempts > 0);
  expect(entries.length).toBeLessThanOrEqual(MAX_SINGLE + 17);
  expect(entries.reduce((sum, attempts) => sum + attempts)).toBeGreaterThanOrEqual(50_000);
});

it('counts each user and each day separately', () => {
  const { clock, count } = start();
  count(6);
  expect(count(4, '@b:test')).toEqual([1, 1, 1, 1]);
  expect(count(1)).toEqual([2]);
  clock.advance(DAY_MS);
  expect(count(6)).toEqual([1, 1, 1, 1, 1, 0]);
});
