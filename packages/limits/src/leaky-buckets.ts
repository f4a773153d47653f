import { createHash } from 'node:crypto';
import type { Clock } from '@steward/kernel';
import { LRUCache } from 'lru-cache';

/** How often an action may be taken. */
export interface Rate {
  /** Actions a second in the long run; more than 0. */
  readonly perSecond: number;
  /** Actions at once; 0 for none. */
  readonly burst: number;
}

/** How many keys are kept; beyond that the least recently used one is dropped. */
const MAX_KEYS = 20_000;

/** Keys longer than this, in characters, are kept as their digest, because clients choose some of them. */
const MAX_KEY_LENGTH = 128;

/** What rounding may add to a fill, in actions. */
const TOLERANCE = 1e-9;

const MS_PER_SECOND = 1_000;

interface Bucket {
  /** Actions that had not leaked away at the time `at`. */
  fill: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/**
 * Leaky buckets by key: each takes `burst` actions at once and leaks `perSecond`. The rate is given with
 * every action, so that it may change while the fill stays.
 */
export class LeakyBuckets {
  readonly #clock: Clock;
  readonly #buckets: LRUCache<string, Bucket>;

  constructor(clock: Clock, maxKeys = MAX_KEYS) {
    this.#clock = clock;
    // Not `max`, which allocates memory for all keys at once, in each of some fifty limits of a process.
    this.#buckets = new LRUCache({ maxSize: maxKeys, sizeCalculation: () => 1 });
  }

  /** How many milliseconds it takes until `count` actions fit; 0 when they do now. Counts nothing. */
  waitFor(key: string, rate: Rate, count: number): number {
    const bucket = this.#buckets.peek(shortened(key));
    const excess = (bucket ? this.#fillNow(bucket, rate) : 0) + count - rate.burst;
    return excess > TOLERANCE ? Math.ceil((excess / rate.perSecond) * MS_PER_SECOND) : 0;
  }

  /** Counts `count` actions if they fit; otherwise counts nothing and returns what `waitFor` returns. */
  take(key: string, rate: Rate, count: number): number {
    const waitMs = this.waitFor(key, rate, count);
    if (waitMs === 0) this.#pour(shortened(key), rate, count);
    return waitMs;
  }

  /** Takes back `count` actions that were counted and have not leaked away since. */
  giveBack(key: string, rate: Rate, count: number): void {
    const bucket = this.#buckets.peek(shortened(key));
    if (!bucket) return;
    bucket.fill = Math.max(0, this.#fillNow(bucket, rate) - count);
    bucket.at = this.#clock.now();
  }

  #pour(key: string, rate: Rate, count: number): void {
    const bucket = this.#buckets.peek(key);
    const fill = bucket ? this.#fillNow(bucket, rate) : 0;
    this.#buckets.set(key, { fill: fill + count, at: this.#clock.now() });
  }

  #fillNow({ fill, at }: Bucket, { perSecond }: Rate): number {
    // The clock of the machine may be set back; no time has passed then.
    const elapsedMs = Math.max(0, this.#clock.now() - at);
    return Math.max(0, fill - (elapsedMs / MS_PER_SECOND) * perSecond);
  }
}

function shortened(key: string): string {
  return key.length > MAX_KEY_LENGTH ? createHash('sha256').update(key).digest('base64url') : key;
}
