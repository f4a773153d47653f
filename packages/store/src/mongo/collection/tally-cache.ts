import type { Clock } from '@steward/kernel';

/** The greatest age of a count, in milliseconds; it serves several pages of a list. */
const MAX_AGE_MS = 1_000;

type Tally = ReadonlyMap<string, number>;

/**
 * Caches a count for a second from the start of counting. It shows changes of other processes within that time, and
 * changes of this one at once, because each that can affect the count calls `drop` when it is complete.
 */
export class TallyCache {
  readonly #count: () => Promise<Tally>;
  readonly #clock: Clock;
  #kept: { readonly tally: Promise<Tally>; readonly since: number } | undefined;

  constructor(count: () => Promise<Tally>, clock: Clock) {
    this.#count = count;
    this.#clock = clock;
  }

  /** The cached count, or a new one. A count that fails is not cached. */
  read(): Promise<Tally> {
    const now = this.#clock.now();
    if (this.#kept && now - this.#kept.since < MAX_AGE_MS) return this.#kept.tally;
    const kept = { tally: this.#count(), since: now };
    this.#kept = kept;
    kept.tally.catch(() => {
      if (this.#kept === kept) this.drop();
    });
    return kept.tally;
  }

  /** Drops the count, even one in progress. */
  drop(): void {
    this.#kept = undefined;
  }
}
