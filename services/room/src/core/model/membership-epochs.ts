import { TIMES_PER_MS } from '@steward/kernel';

/**
 * The number of the membership epoch of an imported member.
 *
 * @param ms when it began, in milliseconds since the Unix epoch
 * @param order distinguishes epochs of the same millisecond, as far as possible
 */
export function epochAt(ms: number, order: number): number {
  return Math.max(1, Math.min(firstEpochAt(ms) + (order % TIMES_PER_MS), Number.MAX_SAFE_INTEGER));
}

/** The least number of a membership epoch that begins at a time, in milliseconds since the Unix epoch, or later. */
export function firstEpochAt(ms: number): number {
  return Math.min(ms * TIMES_PER_MS, Number.MAX_SAFE_INTEGER);
}
