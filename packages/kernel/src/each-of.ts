/** Does work for every item, for a few at a time. After a failure no further item is begun, and the failure is thrown at the end. */
export async function eachOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrent: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = iteratorOf(items);
  const failures: unknown[] = [];
  // One request for the next item after the other.
  let last: Promise<unknown> = Promise.resolve();
  const next = (): Promise<IteratorResult<T>> => {
    const following = last.then(() => iterator.next());
    last = following.catch(() => {});
    return following;
  };
  const worker = async () => {
    try {
      while (failures.length === 0) {
        const { done, value } = await next();
        if (done) return;
        await work(value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
  if (failures.length > 0) throw failures[0];
}

function iteratorOf<T>(items: AsyncIterable<T> | Iterable<T>): AsyncIterator<T> | Iterator<T> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}
