/** How long the other side may make no progress, in milliseconds, before a body is given up. */
const STALL_LIMIT_MS = 30_000;

/** Passes pieces on; when the next step takes too long on either side, `onStall` is called. */
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
