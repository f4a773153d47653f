import { Code, ConnectError } from '@connectrpc/connect';

/** How many records a request may hold. */
const MAX_BATCH = 1_000;

/** A record that was not loaded. */
export interface ImportProblem {
  /** Which of the request's records, counted from 0. */
  readonly index: number;
  readonly problem: string;
}

/** What became of a batch. */
export interface LoadedBatch {
  readonly loaded: number;
  readonly skipped: number;
  readonly problems: ImportProblem[];
}

/** @throws ConnectError when a batch is larger than it may be */
export function checkBatch(records: readonly unknown[]): void {
  if (records.length > MAX_BATCH) {
    throw new ConnectError(`A batch holds at most ${MAX_BATCH} records`, Code.InvalidArgument);
  }
}
