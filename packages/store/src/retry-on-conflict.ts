import type { Clock, Random } from '@steward/kernel';
import { Conflict } from './errors.ts';

/** The first wait after a conflict, in milliseconds; it doubles with each one. */
const FIRST_WAIT_MS = 4;
/** The longest wait after a conflict, in milliseconds. */
const LONGEST_WAIT_MS = 250;

/** How `retryOnConflict` waits. */
export interface RetryOptions {
  /** When to give up: a time of `clock`, in milliseconds since the Unix epoch. */
  readonly deadlineMs: number;
  readonly clock: Clock;
  readonly random: Random;
  /** Waits so many milliseconds; timers unless given. */
  readonly wait?: (ms: number) => Promise<void>;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Runs `work`, which loads, decides and commits, again whenever its commit has lost a race: after a
 * random wait that grows, until the deadline. The last conflict is thrown then. A conflict on a
 * unique index is thrown at once, because deciding again does not make the value free.
 */
export async function retryOnConflict<R>(work: () => Promise<R>, options: RetryOptions): Promise<R> {
  const { deadlineMs, clock, random, wait = sleep } = options;
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
