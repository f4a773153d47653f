/**
 * Iterates over the documents of batches. A generator that delegates to each batch takes four times as long for a page of
 * documents, because it waits several times for each of them.
 */
export function iterateBatches<T>(
  batches: AsyncGenerator<readonly T[], undefined>,
): AsyncIterator<T, undefined> {
  let batch: readonly T[] = [];
  let next = 0;
  const following = async (): Promise<IteratorResult<T, undefined>> => {
    for (;;) {
      const read = await batches.next();
      if (read.done) return read;
      const [first] = read.value;
      batch = read.value;
      next = 1;
      if (batch.length > 0) return { done: false, value: first as T };
    }
  };
  return {
    next() {
      if (next >= batch.length) return following();
      return Promise.resolve({ done: false, value: batch[next++] as T });
    },
    async return() {
      batch = [];
      await batches.return(undefined);
      return { done: true, value: undefined };
    },
  };
}
