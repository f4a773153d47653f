import type { Bus } from '@steward/events';

/** Wakes one who waits for something to happen. To be closed in the end. */
export interface Waiter {
  /**
   * Resolves with `true` when it has rung since this was last asked; with `false` when the time is up,
   * `signal` is raised, or nobody is to wait any longer.
   */
  rung(timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

/** Those who wait in this process. Each holds one timer, and an entry for each topic that it listens to. */
export class Waiters {
  readonly #bus: Pick<Bus, 'onWake'>;
  readonly #waiting = new Set<() => void>();
  #silent = false;

  constructor(bus: Pick<Bus, 'onWake'>) {
    this.#bus = bus;
  }

  /** A bell that rings whenever one of the topics is woken, from now on. */
  listen(topics: Iterable<string>): Waiter {
    let hasRung = false;
    let wake = () => {};
    const ring = () => {
      hasRung = true;
      wake();
    };
    const ends = [...topics].map((topic) => this.#bus.onWake(topic, ring));
    return {
      rung: async (timeoutMs, signal) => {
        if (!hasRung && !this.#silent && !signal.aborted) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, timeoutMs);
            const stop = () => {
              clearTimeout(timer);
              this.#waiting.delete(stop);
              signal.removeEventListener('abort', stop);
              wake = () => {};
              resolve();
            };
            wake = stop;
            this.#waiting.add(stop);
            signal.addEventListener('abort', stop);
          });
        }
        wake();
        const answer = hasRung && !this.#silent && !signal.aborted;
        hasRung = false;
        return answer;
      },
      close() {
        for (const end of ends) end();
      },
    };
  }

  /** Nobody waits any longer, nor will: the process is about to end. */
  silence(): void {
    this.#silent = true;
    for (const stop of [...this.#waiting]) stop();
  }
}
