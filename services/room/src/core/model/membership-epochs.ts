import type { Clock } from '@steward/kernel';

/** Stays that can begin within a millisecond and still be told apart. */
const STAYS_PER_MS = 1_024;

/** Makes the numbers that put stays in the order in which they begin: by time, and within this process exactly. */
export function createStays(clock: Clock): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * STAYS_PER_MS);
    return last;
  };
}

/**
 * The number of a stay of an imported member.
 *
 * @param ms when it began, in milliseconds since the Unix epoch
 * @param order tells those of the same millisecond apart, as well as that can be
 */
export function stayAt(ms: number, order: number): number {
  return Math.max(1, Math.min(firstStayAt(ms) + (order % STAYS_PER_MS), Number.MAX_SAFE_INTEGER));
}

/** The least number of a stay that begins at a time, in milliseconds since the Unix epoch, or later. */
export function firstStayAt(ms: number): number {
  return Math.min(ms * STAYS_PER_MS, Number.MAX_SAFE_INTEGER);
}
