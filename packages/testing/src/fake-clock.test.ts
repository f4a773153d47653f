import { expect, it } from 'vitest';
import { createFakeClock } from './fake-clock.ts';

it('stands still until it is advanced', () => {
  const clock = createFakeClock(1_000);
  expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
  clock.advance(250);
  expect(clock.now()).toBe(1_250);
});

it.each([-1, Number.NaN])('cannot be advanced by %s', (ms) => {
  expect(() => createFakeClock().advance(ms)).toThrow(RangeError);
});
