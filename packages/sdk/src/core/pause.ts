/** The longest time that timers know; beyond it they fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits, at most 24 days. Rejects with the reason of the signal when it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Returns how long to wait before a repetition, in milliseconds: twice as long each time, and up to half of it less by
 * chance, so that the clients of a server that was away do not all return at once.
 *
 * @param attempt the number of the failed attempt, from 0
 */
export function backOffMs(attempt: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** attempt, longestMs) * (1 - Math.random() / 2);
}
