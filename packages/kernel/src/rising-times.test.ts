import { expect, it } from 'vitest';
import { risingTimes, TIMES_PER_MS } from './rising-times.ts';

it('times rise with the clock, and by one while it stands still or goes back', () => {
  let now = 5;
  const next = risingTimes({ now: () => now });
  const first = 5 * TIMES_PER_MS;
  expect([next(), next()]).toEqual([first, first + 1]);
  now = 4;
  expect(next()).toBe(first + 2);
  now = 6;
  expect(next()).toBe(6 * TIMES_PER_MS);
});
