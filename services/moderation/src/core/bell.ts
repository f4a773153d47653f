/** Lets one loop wait until something happens, or time passes. */
export interface Bell {
  /** Says that something happened. */
  ring(): void;
  /** How often it rang. */
  rings(): number;
  /**
   * Waits until it rings, at most `ms` milliseconds if given; not at all if it rang since it had rung `seen` times. Does not keep
   * the process alive.
   */
  wait(seen: number, ms?: number): Promise<void>;
}

/** Creates a bell. */
export function createBell(): Bell {
  let rings = 0;
  let resume = () => {};
  return {
    ring() {
      rings++;
      resume();
    },
    rings: () => rings,
    async wait(seen, ms) {
      if (seen !== rings) return;
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
