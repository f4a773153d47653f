import type { Random } from '@steward/kernel';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses before the first, second, ... attempt, in milliseconds, each counted from the attempt before. */
const PAUSES_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** How much a pause differs at most, in percent and in either direction: what failed together is not repeated together. */
const JITTER_PERCENT = 20;

/** The longest time that a receiver can ask for, in milliseconds. */
const LONGEST_ASKED_MS = 24 * HOUR_MS;

/**
 * The pause before the next attempt, in milliseconds; undefined when there is none.
 *
 * @param made how many attempts were made
 * @param askedMs how long the receiver asks to wait; a shorter time than planned has no effect
 */
export function pauseBefore(made: number, askedMs: number | undefined, random: Random): number | undefined {
  const pauseMs = PAUSES_MS[made];
  if (pauseMs === undefined) return undefined;
  const jitterMs = Math.floor((pauseMs * JITTER_PERCENT) / 100);
  const plannedMs = pauseMs - jitterMs + random.below(2 * jitterMs + 1);
  return Math.max(plannedMs, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}
