import { isUnknownOutcome } from '../../api/outcome.ts';

/** The outcome of one of several orders. */
export type OrderResult =
  | { readonly state: 'waiting' | 'running' | 'done' | 'skipped' }
  | { readonly state: 'refused' | 'unknown'; readonly error: unknown };

const UNAUTHENTICATED = 401;

/**
 * Sends orders one after the other, each once. A refused one does not stop the others. After one whose outcome is
 * unknown, and when the session has ended, the rest is not sent.
 *
 * @param report is called for each change of the result of an item
 */
export async function runOrders<T>(
  items: readonly T[],
  send: (item: T) => Promise<unknown>,
  report: (index: number, result: OrderResult) => void,
  signal: AbortSignal,
): Promise<void> {
  let stopped = false;
  for (const [index, item] of items.entries()) {
    if (stopped || signal.aborted) {
      report(index, { state: 'skipped' });
      continue;
    }
    report(index, { state: 'running' });
    try {
      await send(item);
      report(index, { state: 'done' });
    } catch (error) {
      const unknown = isUnknownOutcome(error);
      stopped = unknown || (error as { status?: unknown }).status === UNAUTHENTICATED;
      report(index, { state: unknown ? 'unknown' : 'refused', error });
    }
  }
}
