/** Delivers notifications to the waiters of a topic within one process. */
export class Notifications {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Calls the listeners of `topic`, synchronously. */
  notify(topic: string): void {
    for (const fn of this.#listeners.get(topic) ?? []) fn();
  }

  /**
   * Calls `fn`, which must not throw, at each notification of `topic`.
   *
   * @returns a function that stops the calls
   */
  onNotification(topic: string, fn: () => void): () => void {
    // A new listener for each call, so that the same function may be registered twice.
    const listener = () => fn();
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }
}
