import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { RecentIds } from './recent-ids.ts';

it('remembers an id for the length of the window after it was last added', () => {
  const clock = createFakeClock();
  const ids = new RecentIds<string>(100, clock);
  ids.add('a');
  clock.advance(60);
  ids.add('b');
  ids.add('a');
  clock.advance(99);
  expect([ids.has('a'), ids.has('b'), ids.has('c')]).toEqual([true, true, false]);
  clock.advance(1);
  expect([ids.has('a'), ids.has('b')]).toEqual([false, false]);
});
