import type { Random } from '@steward/kernel';

/**
 * Returns how long to wait after a number of consecutive failures, in milliseconds: a random time between
 * half of the delay and all of it, so that operations that failed together are not repeated together.
 *
 * @param failures 1 or more; beyond the end of `delaysMs` the last delay applies
 */
export function delayAfter(failures: number, delaysMs: readonly number[], random: Random): number {
  const delayMs = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0;
  const halfMs = Math.floor(delayMs / 2);
  return delayMs - random.below(halfMs + 1);
}
