import type { Bell } from './bell.ts';

/** Those in this process who wait for the outcomes of requests. */
export class OutcomeWaits {
  readonly #bells = new Map<string, Set<Bell>>();

  /** Rings for each of these entries when it was recorded, until the returned function is called. */
  enter(entryIds: readonly string[], bell: Bell): () => void {
    for (const id of entryIds) this.#bells.set(id, (this.#bells.get(id) ?? new Set()).add(bell));
    return () => {
      for (const id of entryIds) {
        const bells = this.#bells.get(id);
        bells?.delete(bell);
        if (bells?.size === 0) this.#bells.delete(id);
      }
    };
  }

  /** Says that an entry was recorded. */
  recorded(entryId: string): void {
    for (const bell of this.#bells.get(entryId) ?? []) bell.ring();
  }
}
