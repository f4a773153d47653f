import type { Clock } from '@steward/kernel';

/** Remembers ids for a limited time, to recognise duplicates. */
export class RecentIds<Id> {
  readonly #windowMs: number;
  readonly #clock: Clock;
  /** When each id was added, oldest first. */
  readonly #added = new Map<Id, number>();

  /** @param windowMs how long it remembers an id, in milliseconds */
  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  add(id: Id): void {
    this.#forgetOld();
    this.#added.delete(id);
    this.#added.set(id, this.#clock.now());
  }

  has(id: Id): boolean {
    this.#forgetOld();
    return this.#added.has(id);
  }

  #forgetOld(): void {
    const oldest = this.#clock.now() - this.#windowMs;
    for (const [id, addedAt] of this.#added) {
      if (addedAt > oldest) return;
      this.#added.delete(id);
    }
  }
}
