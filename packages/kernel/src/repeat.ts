/** Work that repeats in the background. */
export interface Repetition {
  /** Waits for the running round, and starts no other. */
  close(): Promise<void>;
}

/**
 * Runs some work at once and then every `intervalMs`; rounds do not overlap. A round that takes longer is followed by one
 * other, however many intervals have passed. It does not keep the process alive.
 * Errors of a round go to `onFault`, and the next round runs regardless.
 */
export function repeat(
  work: () => Promise<unknown>,
  { intervalMs, onFault }: { readonly intervalMs: number; readonly onFault: (error: unknown) => void },
): Repetition {
  let running: Promise<void> | undefined;
  let isDue = false;
  let isClosed = false;
  const run = async () => {
    while (isDue && !isClosed) {
      isDue = false;
      try {
        await work();
      } catch (error) {
        onFault(error);
      }
    }
    running = undefined;
  };
  const round = () => {
    isDue = true;
    running ??= Promise.resolve().then(run);
  };
  round();
  const timer = setInterval(round, intervalMs);
  timer.unref();
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await running;
    },
  };
}
