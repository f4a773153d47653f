import { unlessRefused } from '../core/refusals/unless-refused.ts';

/** Works that go on at once. */
const AT_ONCE = 12;
/** Errors that are kept to be told; all others are like them. */
const MAX_KEPT_ERRORS = 10;

/**
 * Does something for each of very many items. What a room refuses is passed over, and what fails keeps
 * nothing else from being done.
 *
 * @param pages each is read when the one before has been worked off
 * @param signal asks to stop
 * @throws AggregateError at the end, with some of what went wrong; the reason of the signal when it asks
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
