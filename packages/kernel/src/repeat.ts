/** Work that repeats in the background. */
export interface Repetition {
  /** Waits for the running round, and starts no other. */
  close(): Promise<void>;
}

/**
 * Runs some work at once and then every `intervalMs`; rounds do not overlap. It does not keep the process alive.
 * Errors of a round go to `onFault`, and the next round runs regardless.
 */
export function repeat(
  work: () => Promise<unknown>,
  { intervalMs, onFault }: { readonly intervalMs: number; readonly onFault: (error: unknown) => void },
): Repetition {
  let last: Promise<unknown> = Promise.resolve();
  const round = () => {
    last = last.then(work).catch(onFault);
  };
  round();
  const timer = setInterval(round, intervalMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await last;
    },
  };
}
