import type { Clock } from './clock.ts';

/** The distinct times of a millisecond. */
export const TIMES_PER_MS = 1_024;

/**
 * Returns a function that gives times in 1,024ths of a millisecond since the Unix epoch. Each is later than the previous one
 * of the process, also when the clock stands still or goes back.
 */
export function risingTimes(clock: Clock): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, clock.now() * TIMES_PER_MS);
    return last;
  };
}
