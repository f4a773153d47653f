import type { Clock, Random } from '@steward/kernel';
import { Conflict } from './port/errors.ts';

/** The first wait after a conflict, in milliseconds; it doubles with each one. */
const FIRST_WAIT_MS = 4;
/** The longest wait after a conflict, in milliseconds. */
const LONGEST_WAIT_MS = 250;
/** How long conflicting work is repeated, in milliseconds: less than a request may take. */
const DEFAULT_WITHIN_MS = 20_000;

/** The dependencies of `retryOnConflict`, which are among those of every service. */
export interface RetryDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/** The options of `retryOnConflict`. */
export interface RetryOptions {
  /** How long the work is repeated, in milliseconds; 20,000 by default. */
  readonly withinMs?: number;
  /** Waits for a number of milliseconds; uses timers by default. */
  readonly wait?: (ms: number) => Promise<void>;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Runs `work`, which loads, decides and commits, and repeats it after a conflict on the version: after a
 * growing random wait, until the time is over; then it throws the last conflict. It throws a conflict on
 * a unique index immediately, because deciding again does not make the value free.
 */
export async function retryOnConflict<R>(
  work: () => Promise<R>,
  { clock, random }: RetryDeps,
  { withinMs = DEFAULT_WITHIN_MS, wait = sleep }: RetryOptions = {},
): Promise<R> {
  const deadlineMs = clock.now() + withinMs;
  for (let ceilingMs = FIRST_WAIT_MS; ; ceilingMs = Math.min(ceilingMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      const waitMs = 1 + random.below(ceilingMs);
      const lostRace = error instanceof Conflict && error.index === 'version';
      if (!lostRace || clock.now() + waitMs > deadlineMs) throw error;
      await wait(waitMs);
    }
  }
}
