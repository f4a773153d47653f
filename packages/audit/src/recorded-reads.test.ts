import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { RecordedReads } from './recorded-reads.ts';

const HOUR_MS = 60 * 60 * 1_000;

it('needs one entry an hour for each session, action and targets', () => {
  const clock = createFakeClock();
  const reads = new RecordedReads(clock);
  const sync = { action: 'room.sync', targets: [] };
  expect(reads.isDue('a', sync)).toBe(true);
  // A read that could not be recorded is still due.
  expect(reads.isDue('a', sync)).toBe(true);
  reads.add('a', sync);
  expect(reads.isDue('a', sync)).toBe(false);
  expect(reads.isDue('b', sync)).toBe(true);
  expect(reads.isDue('a', { action: 'room.list_messages', targets: [] })).toBe(true);
  expect(reads.isDue('a', { action: 'room.sync', targets: ['!a:test'] })).toBe(true);
  clock.advance(HOUR_MS - 1);
  expect(reads.isDue('a', sync)).toBe(false);
  clock.advance(1);
  expect(reads.isDue('a', sync)).toBe(true);
});

it('needs an entry for a read when the clock was set back since the last one', () => {
  let now = 2 * HOUR_MS;
  const reads = new RecordedReads({ now: () => now });
  const sync = { action: 'room.sync', targets: [] };
  reads.add('a', sync);
  now = HOUR_MS;
  expect(reads.isDue('a', sync)).toBe(true);
});
