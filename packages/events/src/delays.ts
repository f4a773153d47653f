import type { Random } from '@steward/kernel';

/**
 * How long to wait after so many failures in a row, in milliseconds: a random time between half of
 * the delay and all of it, so that what failed together does not come back together.
 *
 * @param failures 1 or more; beyond the end of `delaysMs` the last one is taken
 */
export function delayAfter(failures: number, delaysMs: readonly number[], random: Random): number {
  const delayMs = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0;
  const halfMs = Math.floor(delayMs / 2);
  return delayMs - random.below(halfMs + 1);
}
