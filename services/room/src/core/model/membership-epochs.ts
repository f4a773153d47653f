import type { Clock } from '@steward/kernel';

/** Stays that can begin within a millisecond and still be told apart. */
const EPOCHS_PER_MS = 1_024;

/** Makes the numbers that put stays in the order in which they begin: by time, and within this process exactly. */
export function createMembershipEpochs(clock: Clock): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * EPOCHS_PER_MS);
    return last;
  };
}

/**
 * The number of a stay of an imported member.
 *
 * @param ms when it began, in milliseconds since the Unix epoch
 * @param order tells those of the same millisecond apart, as well as that can be
 */
export function epochAt(ms: number, order: number): number {
  return Math.max(1, Math.min(firstEpochAt(ms) + (order % EPOCHS_PER_MS), Number.MAX_SAFE_INTEGER));
}

/** The least number of a stay that begins at a time, in milliseconds since the Unix epoch, or later. */
export function firstEpochAt(ms: number): number {
  return Math.min(ms * EPOCHS_PER_MS, Number.MAX_SAFE_INTEGER);
}
