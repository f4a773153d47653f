import type { Clock } from '@steward/kernel';
import { LRUCache } from 'lru-cache';

/** The interval within which attempts are counted, in milliseconds: a day of UTC. */
const DAY_MS = 24 * 60 * 60 * 1_000;

/** How many users are counted; beyond that the one with the longest pause is forgotten. */
const MAX_USERS = 20_000;

interface Count {
  /** The number of the day. */
  readonly day: number;
  /** The attempts of that day. */
  attempts: number;
  /** The attempts for which there are entries. */
  recorded: number;
}

/**
 * Bounds the entries for refused attempts, so that endless repetitions cannot fill the log. The first attempts of a
 * user and day have an entry each. From then on an entry is due each time that the number of further attempts has
 * doubled, and stands for all attempts since the previous entry.
 */
export class RefusedAttempts {
  readonly #clock: Clock;
  readonly #maxSingle: number;
  readonly #counts = new LRUCache<string, Count>({ maxSize: MAX_USERS, sizeCalculation: () => 1 });

  /** @param maxSingle how many attempts of a user and day have an entry of their own */
  constructor(clock: Clock, maxSingle: number) {
    this.#clock = clock;
    this.#maxSingle = maxSingle;
  }

  /** Counts an attempt; returns how many attempts the entry stands for that is due now, 0 when none is. */
  count(userId: string): number {
    const day = Math.floor(this.#clock.now() / DAY_MS);
    const known = this.#counts.get(userId);
    const count = known?.day === day ? known : { day, attempts: 0, recorded: 0 };
    if (count !== known) this.#counts.set(userId, count);
    count.attempts++;
    const further = count.attempts - this.#maxSingle;
    if (further > 0 && !isPowerOfTwo(further)) return 0;
    const unrecorded = count.attempts - count.recorded;
    count.recorded = count.attempts;
    return unrecorded;
  }
}

function isPowerOfTwo(count: number): boolean {
  return Number.isInteger(Math.log2(count));
}
