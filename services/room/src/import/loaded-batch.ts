import { Code, ConnectError } from '@connectrpc/connect';

/** The most records of a request. */
const MAX_BATCH = 1_000;

/** A record that was not loaded. */
export interface ImportProblem {
  /** The index of the record in the request. */
  readonly index: number;
  readonly problem: string;
}

/** The outcome of a batch. */
export interface LoadedBatch {
  readonly loaded: number;
  readonly skipped: number;
  readonly problems: ImportProblem[];
}

/** @throws ConnectError when a batch is too large */
export function checkBatch(records: readonly unknown[]): void {
  if (records.length > MAX_BATCH) {
    throw new ConnectError(`A batch holds at most ${MAX_BATCH} records`, Code.InvalidArgument);
  }
}
