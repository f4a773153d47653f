import type { Clock } from '@steward/kernel';

/** How old a count may be, in milliseconds: lists are often read page by page. */
const MAX_AGE_MS = 1_000;

type Tally = ReadonlyMap<string, number>;

/**
 * Remembers a count for at most a second from its beginning. Changes made elsewhere are seen within
 * that time; changes made here are seen at once, because each one that could matter calls `drop`
 * when it is through.
 */
export class TallyCache {
  readonly #count: () => Promise<Tally>;
  readonly #clock: Clock;
  #kept: { readonly tally: Promise<Tally>; readonly since: number } | undefined;

  constructor(count: () => Promise<Tally>, clock: Clock) {
    this.#count = count;
    this.#clock = clock;
  }

  /** The remembered count, or a new one. A count that fails is not remembered. */
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

  /** Forgets the count, also one that is under way. */
  drop(): void {
    this.#kept = undefined;
  }
}
