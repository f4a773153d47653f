import { unlessRefused } from '../core/refusals/unless-refused.ts';

/** Items that are processed concurrently. */
const CONCURRENCY = 12;
/** The most errors that are reported; more would repeat the same causes. */
const MAX_KEPT_ERRORS = 10;

/**
 * Runs work for each of very many items. Refusals of rooms are ignored, and a failure does not stop the work for other
 * items.
 *
 * @param pages the items; a page is read when the previous one is processed
 * @param signal aborts the work
 * @throws AggregateError at the end, with some of the failures; the reason of the signal when it aborts the work
 */
export async function forAll<T>(
  pages: AsyncIterable<readonly T[]>,
  work: (item: T) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const errors: unknown[] = [];
  const processItems = async (items: Iterator<T, void>) => {
    for (let next = items.next(); !next.done && !signal.aborted; next = items.next()) {
      try {
        await unlessRefused(work(next.value));
      } catch (error) {
        failures++;
        if (errors.length < MAX_KEPT_ERRORS) errors.push(error);
      }
    }
  };
  for await (const page of pages) {
    const items = page.values();
    await Promise.all(Array.from({ length: CONCURRENCY }, () => processItems(items)));
    signal.throwIfAborted();
  }
  if (failures > 0) throw new AggregateError(errors, `${failures} changes in rooms failed`);
}
