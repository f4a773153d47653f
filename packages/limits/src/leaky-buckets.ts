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

/** The settings of buckets. */
export interface BucketsOptions {
  /** How many keys are kept; beyond that the least recently used one is dropped. 20,000 by default. */
  readonly maxKeys?: number;
  /** Called with the kept key of actions that were counted here, or, with a count below 0, taken back here. */
  readonly counted?: (key: string, count: number, perSecond: number) => void;
}

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
  readonly #counted: BucketsOptions['counted'];
  readonly #buckets: LRUCache<string, Bucket>;

  constructor(clock: Clock, { maxKeys = MAX_KEYS, counted }: BucketsOptions = {}) {
    this.#clock = clock;
    this.#counted = counted;
    // Not `max`, which allocates memory for all keys at once, in each of some fifty limits of a process.
    this.#buckets = new LRUCache({ maxSize: maxKeys, sizeCalculation: () => 1 });
  }

  /** How many milliseconds it takes until `count` actions fit; 0 when they do now. Counts nothing. */
  waitFor(key: string, rate: Rate, count: number): number {
    return this.#waitFor(shortened(key), rate, count);
  }

  /** Counts `count` actions if they fit; otherwise counts nothing and returns what `waitFor` returns. */
  take(key: string, rate: Rate, count: number): number {
    const kept = shortened(key);
    const waitMs = this.#waitFor(kept, rate, count);
    if (waitMs > 0) return waitMs;
    this.#pour(kept, rate.perSecond, count, this.#clock.now());
    this.#counted?.(kept, count, rate.perSecond);
    return 0;
  }

  /** Takes back `count` actions that were counted and have not leaked away since. */
  giveBack(key: string, rate: Rate, count: number): void {
    const kept = shortened(key);
    const removed = this.#remove(kept, rate.perSecond, count);
    if (removed > 0) this.#counted?.(kept, -removed, rate.perSecond);
  }

  /**
   * Counts actions that another instance has counted `ageMs` ago, or, with a count below 0, taken back. They may be more
   * than fit: then all instances wait longer. Of actions that are older than the last use of the key here, only as much
   * is counted as would not have leaked away from an empty bucket.
   *
   * @param key as it is kept
   */
  add(key: string, perSecond: number, count: number, ageMs: number): void {
    if (count < 0) {
      this.#remove(key, perSecond, -count);
      return;
    }
    const now = this.#clock.now();
    const at = now - ageMs;
    const bucket = this.#buckets.peek(key);
    if (!bucket || bucket.at <= at) this.#pour(key, perSecond, count, at);
    else {
      const left = ageMs === 0 ? count : Math.max(0, count - leaked(ageMs, perSecond));
      if (left > 0) this.#pour(key, perSecond, left, now);
    }
  }

  /** How many actions of a key, as it is kept, have not leaked away. */
  fillOf(key: string, perSecond: number): number {
    return this.#fillAt(key, perSecond, this.#clock.now());
  }

  #waitFor(key: string, rate: Rate, count: number): number {
    const excess = this.fillOf(key, rate.perSecond) + count - rate.burst;
    return excess > TOLERANCE ? Math.ceil((excess / rate.perSecond) * MS_PER_SECOND) : 0;
  }

  #pour(key: string, perSecond: number, count: number, at: number): void {
    this.#buckets.set(key, { fill: this.#fillAt(key, perSecond, at) + count, at });
  }

  #remove(key: string, perSecond: number, count: number): number {
    const bucket = this.#buckets.peek(key);
    if (!bucket) return 0;
    const fill = this.fillOf(key, perSecond);
    bucket.fill = Math.max(0, fill - count);
    bucket.at = this.#clock.now();
    return fill - bucket.fill;
  }

  #fillAt(key: string, perSecond: number, at: number): number {
    const bucket = this.#buckets.peek(key);
    // The clock of the machine may be set back; no time has passed then.
    return bucket ? Math.max(0, bucket.fill - leaked(Math.max(0, at - bucket.at), perSecond)) : 0;
  }
}

function leaked(elapsedMs: number, perSecond: number): number {
  return (elapsedMs / MS_PER_SECOND) * perSecond;
}

function shortened(key: string): string {
  return key.length > MAX_KEY_LENGTH ? createHash('sha256').update(key).digest('base64url') : key;
}
