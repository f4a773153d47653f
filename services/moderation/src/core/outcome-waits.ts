import type { Notifier } from '@steward/kernel';

/** The calls of this process that wait for the outcomes of requests. */
export class OutcomeWaits {
  readonly #notifiers = new Map<string, Set<Notifier>>();

  /** Notifies when one of these entries is recorded, until the returned function is called. */
  enter(entryIds: readonly string[], notifier: Notifier): () => void {
    for (const id of entryIds) this.#notifiers.set(id, (this.#notifiers.get(id) ?? new Set()).add(notifier));
    return () => {
      for (const id of entryIds) {
        const notifiers = this.#notifiers.get(id);
        notifiers?.delete(notifier);
        if (notifiers?.size === 0) this.#notifiers.delete(id);
      }
    };
  }

  /** Notifies the calls that wait for an entry. */
  recorded(entryId: string): void {
    for (const notifier of this.#notifiers.get(entryId) ?? []) notifier.notify();
  }
}
