import type { Bus } from '@steward/events';

/** Waits for notifications of some topics. Must be closed. */
export interface Waiter {
  /**
   * Resolves with `true` as soon as a topic has been notified since the last call; with `false` when the time is up,
   * `signal` is aborted, or the waiters are closed.
   */
  wait(timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

/** The waiters of this process. Each holds one timer, and one subscription for each of its topics. */
export class Waiters {
  readonly #bus: Pick<Bus, 'onNotification'>;
  readonly #waiting = new Set<() => void>();
  #closed = false;

  constructor(bus: Pick<Bus, 'onNotification'>) {
    this.#bus = bus;
  }

  /** Creates a waiter for notifications of the topics from now on. */
  listen(topics: Iterable<string>): Waiter {
    let isNotified = false;
    let resume = () => {};
    const notify = () => {
      isNotified = true;
      resume();
    };
    const ends = [...topics].map((topic) => this.#bus.onNotification(topic, notify));
    return {
      wait: async (timeoutMs, signal) => {
        if (!isNotified && !this.#closed && !signal.aborted) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, timeoutMs);
            const stop = () => {
              clearTimeout(timer);
              this.#waiting.delete(stop);
              signal.removeEventListener('abort', stop);
              resume = () => {};
              resolve();
            };
            resume = stop;
            this.#waiting.add(stop);
            signal.addEventListener('abort', stop);
          });
        }
        resume();
        const answer = isNotified && !this.#closed && !signal.aborted;
        isNotified = false;
        return answer;
      },
      close() {
        for (const end of ends) end();
      },
    };
  }

  /** Ends every wait, including later ones, so that the process can end. */
  close(): void {
    this.#closed = true;
    for (const stop of [...this.#waiting]) stop();
  }
}
