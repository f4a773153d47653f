/** How long a body may make no progress before it is aborted, in milliseconds. */
const STALL_LIMIT_MS = 30_000;

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
