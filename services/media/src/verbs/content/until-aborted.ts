/**
 * Yields the values of a source until the signal is raised; then it closes the source immediately, even if the reader
 * requests no further value.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const release = async () => {
    await iterator.return?.();
  };
  const onAbort = () => void release().catch(() => {});
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal.aborted) {
      const { done, value } = await iterator.next();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await release();
  }
}
