import { unlessRefused } from '../core/refusals/unless-refused.ts';

/** Items that are worked on at the same time. */
const AT_ONCE = 12;
/** Errors that are reported; the others are like them. */
const MAX_KEPT_ERRORS = 10;

/**
 * Runs work for each of very many items. A refusal of a room is ignored, and a failure does not keep the others from
 * being done.
 *
 * @param pages each is read when the previous one is done
 * @param signal stops the work
 * @throws AggregateError at the end, with some of the failures; the reason of the signal when it stops the work
 */
export async function forAll<T>(
  pages: AsyncIterable<readonly T[]>,
  work: (item: T) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const errors: unknown[] = [];
  // Each takes the next item as soon as it is done with one.
  const workOff = async (items: Iterator<T, void>) => {
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
    await Promise.all(Array.from({ length: AT_ONCE }, () => workOff(items)));
    signal.throwIfAborted();
  }
  if (failures > 0) throw new AggregateError(errors, `${failures} changes in rooms failed`);
}
