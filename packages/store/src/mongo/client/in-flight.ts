import { Unavailable } from '../../port/errors.ts';

/** The operations of a store that are in progress, so that closing can wait for them. */
export class InFlight {
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  get closed(): boolean {
    return this.#closed;
  }

  /** @throws Unavailable when the store is closed */
  async run<R>(operation: () => Promise<R>): Promise<R> {
    if (this.#closed) throw new Unavailable('The store is closed');
    const running = operation();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Accepts no more operations, and waits for those in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }
}
