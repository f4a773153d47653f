/**
 * How long a body or an answer may make no progress before it is aborted, in milliseconds. The operating system reports that
 * a client accepts more only when a third of its buffer is free, which can be more than 1 MiB: a client that reads 60 KiB in
 * a second may make no visible progress for 20 s.
 */
export const STALL_LIMIT_MS = 60_000;

/** Yields the pieces; calls `onStall` when the producer or the consumer takes too long for the next one. */
export async function* watchStall<T>(pieces: AsyncIterable<T>, onStall: () => void): AsyncGenerator<T> {
  const timer = setTimeout(onStall, STALL_LIMIT_MS);
  timer.unref();
  try {
    for await (const piece of pieces) {
      timer.refresh();
      yield piece;
      timer.refresh();
    }
  } finally {
    clearTimeout(timer);
  }
}
