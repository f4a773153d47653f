/**
 * A count that the writing connection raises before and after each commit, in memory that it shares with the reader's thread.
 * A snapshot that is taken while the count is even and stays the same holds exactly the transactions that were committed
 * until then.
 */
export type TransactionClock = Int32Array<SharedArrayBuffer>;

/** A clock that stands at 0. */
export const newClock = (): TransactionClock =>
  new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** The present count. */
export const readClock = (clock: TransactionClock): number => Atomics.load(clock, 0);

/** Raises the count, and wakes the reader that waits for it. */
export function advance(clock: TransactionClock): void {
  Atomics.add(clock, 0, 1);
  Atomics.notify(clock, 0);
}

/** Whether a commit is in progress. */
export const isCommitting = (count: number): boolean => count % 2 !== 0;

/** Blocks the thread while the count is this one, for at most so many milliseconds. */
export function waitWhile(clock: TransactionClock, count: number, mostMs: number): void {
  Atomics.wait(clock, 0, count, mostMs);
}

/** Whether one count is later than another, also after the count has run over. */
export const isLater = (count: number, other: number): boolean => ((count - other) | 0) > 0;
