/** Lets one loop wait for a notification, or for some time. */
export interface Notifier {
  /** Wakes the waiting loop. */
  notify(): void;
  /** How often `notify` was called. */
  count(): number;
  /**
   * Waits for a notification, at most `ms` milliseconds if given; returns at once if `count` is no longer `seen`. Does not
   * keep the process alive.
   */
  wait(seen: number, ms?: number): Promise<void>;
}

/** Creates a notifier. */
export function createNotifier(): Notifier {
  let count = 0;
  let resume = () => {};
  return {
    notify() {
      count++;
      resume();
    },
    count: () => count,
    async wait(seen, ms) {
      if (seen !== count) return;
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms).unref();
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
