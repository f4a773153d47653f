import type { Clock } from '@steward/kernel';

/** The distinct numbers of membership epochs per millisecond. */
const EPOCHS_PER_MS = 1_024;

/** Numbers membership epochs by the time at which they begin; the numbers of a process strictly increase. */
export function createMembershipEpochs(clock: Clock): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * EPOCHS_PER_MS);
    return last;
  };
}

/**
 * The number of the membership epoch of an imported member.
 *
 * @param ms when it began, in milliseconds since the Unix epoch
 * @param order distinguishes epochs of the same millisecond, as far as possible
 */
export function epochAt(ms: number, order: number): number {
  return Math.max(1, Math.min(firstEpochAt(ms) + (order % EPOCHS_PER_MS), Number.MAX_SAFE_INTEGER));
}

/** The least number of a membership epoch that begins at a time, in milliseconds since the Unix epoch, or later. */
export function firstEpochAt(ms: number): number {
  return Math.min(ms * EPOCHS_PER_MS, Number.MAX_SAFE_INTEGER);
}
