import type { Bus } from '@steward/events';

/**
 * How many waiters a device may have: a client has one, and for a short time a second one when it reconnects. One more
 * ends the wait of the oldest.
 */
const MAX_PER_DEVICE = 10;

/** Waits for notifications of some topics. Must be closed. */
export interface Waiter {
  /**
   * Resolves with the topics that were notified since the last call, as soon as there is one; with `undefined` when the time is
   * up, `signal` is aborted, newer waiters of the device have taken its place, or the waiters are closed.
   */
  wait(timeoutMs: number, signal: AbortSignal): Promise<ReadonlySet<string> | undefined>;
  close(): void;
}

/** The waiters of this process. Each holds one timer; all share one subscription for each topic. */
export class Waiters {
  readonly #bus: Pick<Bus, 'onNotification'>;
  readonly #waiting = new Set<() => void>();
  /** The functions that end the waiters of each device, in the order in which the waiters were created. */
  readonly #devices = new Map<string, Set<() => void>>();
  /** What listens to each topic, and the end of its subscription. */
  readonly #topics = new Map<string, { readonly listeners: Set<() => void>; readonly end: () => void }>();
  #closed = false;

  constructor(bus: Pick<Bus, 'onNotification'>) {
    this.#bus = bus;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Creates a waiter of a device for notifications of the topics from now on. */
  listen(device: string, topics: Iterable<string>): Waiter {
    let notified = new Set<string>();
    let isReplaced = false;
    let resume = () => {};
    const ends = [...topics].map((topic) =>
      this.#subscribe(topic, () => {
        notified.add(topic);
        resume();
      }),
    );
    const leave = this.#join(device, () => {
      isReplaced = true;
      resume();
    });
    const isOver = (signal: AbortSignal) => isReplaced || this.#closed || signal.aborted;
    return {
      wait: async (timeoutMs, signal) => {
        if (notified.size === 0 && !isOver(signal)) {
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
        const topics = notified;
        notified = new Set();
        return topics.size > 0 && !isOver(signal) ? topics : undefined;
      },
      close() {
        leave();
        for (const end of ends) end();
      },
    };
  }

  /** Notifies the waiters of a topic in this process only. */
  notify(topic: string): void {
    for (const listener of this.#topics.get(topic)?.listeners ?? []) listener();
  }

  /** Calls `notify` at each notification of a topic; returns how that ends. */
  #subscribe(topic: string, notify: () => void): () => void {
    // A new listener for each call, because a waiter may name a topic twice.
    const listener = () => notify();
    const { listeners, end } = this.#topics.get(topic) ?? {
      listeners: new Set<() => void>(),
      end: this.#bus.onNotification(topic, () => this.notify(topic)),
    };
    this.#topics.set(topic, { listeners: listeners.add(listener), end });
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return;
      this.#topics.delete(topic);
      end();
    };
  }

  /** Adds a waiter to those of its device, in place of the oldest where there are enough; returns how it leaves. */
  #join(device: string, replace: () => void): () => void {
    const waiters = this.#devices.get(device) ?? new Set();
    this.#devices.set(device, waiters);
    const [oldest] = waiters;
    if (oldest && waiters.size >= MAX_PER_DEVICE) {
      waiters.delete(oldest);
      oldest();
    }
    waiters.add(replace);
    return () => {
      waiters.delete(replace);
      if (waiters.size === 0 && this.#devices.get(device) === waiters) this.#devices.delete(device);
    };
  }

  /** Ends every wait, including later ones, so that the process can end. */
  close(): void {
    this.#closed = true;
    for (const stop of [...this.#waiting]) stop();
  }
}
