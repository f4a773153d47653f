/** Does work for every item, for a few at a time. After a failure no further item is begun, and the failure is thrown at the end. */
export async function eachOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrent: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // The calls of `next` of one generator wait for each other.
  const queue = (async function* () {
    yield* items;
  })();
  const failures: unknown[] = [];
  const worker = async () => {
    try {
      for (;;) {
        const { done, value } = await queue.next();
        if (done || failures.length > 0) return;
        await work(value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: concurrent }, worker));
  await queue.return();
  if (failures.length > 0) throw failures[0];
}
