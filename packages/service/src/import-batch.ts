import { Code, ConnectError } from '@connectrpc/connect';
import { Conflict } from '@steward/store';

/** The most records of a request. */
const MAX_BATCH = 1_000;

/** A record of an import that was not loaded. */
export interface ImportProblem {
  /** The index of the record in the request. */
  readonly index: number;
  readonly problem: string;
}

/** The outcome of a batch of an import. */
export interface LoadedBatch {
  readonly loaded: number;
  /** Records that existed, or were repeated. */
  readonly skipped: number;
  readonly problems: ImportProblem[];
}

/** @throws ConnectError when a batch is larger than it may be */
export function checkBatch(records: readonly unknown[]): void {
  if (records.length > MAX_BATCH)
    throw new ConnectError(`A batch holds at most ${MAX_BATCH} records`, Code.InvalidArgument);
}

/** Whether documents can hold a length, or milliseconds since the Unix epoch. */
export function isSafeNumber(value: bigint): boolean {
  return value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER);
}

/** How many documents an unordered insertion inserted; another import may have inserted the others. */
export async function insertedCount(insertion: Promise<{ readonly insertedCount: number }>): Promise<number> {
  try {
    return (await insertion).insertedCount;
  } catch (error) {
    if (error instanceof Conflict) return error.insertedCount;
    throw error;
  }
}
