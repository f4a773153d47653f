/** Work that goes on in the background. */
export interface Repetition {
  /** Lets the round under way end, and begins no more. */
  close(): Promise<void>;
}

/**
 * Does some work at once, and again whenever `intervalMs` have passed; a round waits for the one before. Does
 * not keep the process alive. What a round throws goes to `onFault`, and the next comes all the same.
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
