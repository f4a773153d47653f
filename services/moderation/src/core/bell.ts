/** Lets one loop wait until something happens, or time passes. */
export interface Bell {
  /** Says that something happened. */
  ring(): void;
  /** How often it rang. */
  rings(): number;
  /** Waits at most `ms` milliseconds; not at all if it rang since it had rung `seen` times. Does not keep the process alive. */
  wait(seen: number, ms: number): Promise<void>;
}

/** Creates a bell, which also rings when the signal aborts. */
export function createBell(signal: AbortSignal): Bell {
  let rings = 0;
  let resume = () => {};
  const ring = () => {
    rings++;
    resume();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    rings: () => rings,
    async wait(seen, ms) {
      if (seen !== rings || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        timer.unref();
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
