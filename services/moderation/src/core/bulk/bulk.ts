import type { CarriedAuthority } from '../carried-authority.ts';

/** The name of tasks that make a request for each of many; their key is the name, so that one runs at a time. */
export const BULK = 'bulk.run';

/** How many ids a piece of the selection has. */
export const IDS_PER_PIECE = 500;

/** A request of the administrative API, in which `PLACEHOLDER` stands for an id. */
export interface BulkAction {
  readonly method: string;
  readonly path: string;
  /** JSON text; absent for a request without a body. */
  readonly body?: string;
}

/** The parameters of a bulk. Its input has the ids, `IDS_PER_PIECE` in each piece. */
export interface BulkParams {
  readonly action: BulkAction;
  readonly count: number;
  readonly authority: CarriedAuthority;
  readonly requestId: string;
  /** As in a header; empty without a reason. */
  readonly reason: string;
}

/** The outcome of a request. */
export interface BulkResult {
  readonly id: string;
  readonly outcome: 'done' | 'failed';
  readonly status?: number;
  readonly errcode?: string;
  readonly error?: string;
}

/** A piece of the results: of requests that were made together. */
export interface BulkResults {
  /** The place of the first of them in the selection, which is the number of the piece. */
  readonly first: number;
  readonly results: readonly BulkResult[];
}

/** How many requests had which outcome. */
export interface BulkCounts {
  readonly done: number;
  readonly failed: number;
}

export const NO_RESULTS: BulkCounts = { done: 0, failed: 0 };
