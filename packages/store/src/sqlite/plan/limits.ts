/** How much a statement may read on the serving thread. */
export interface Limits {
  /** Rows of a collection that is small enough to be read as a whole. */
  readonly smallCollection: number;
  /** Candidates whose documents are read. */
  readonly candidates: number;
  /** Index entries that are walked. */
  readonly entries: number;
  /** Results of a query without a limit. */
  readonly results: number;
  /** Results that are skipped from the start, without positions. */
  readonly skipFromStart: number;
  /** Entries between two known positions. */
  readonly positionGap: number;
  /** Results that the reader finds at least, for the page that is asked for and the next ones. */
  readonly ahead: number;
  /** Results that are counted again each time. */
  readonly counted: number;
  /** Distinct values that are searched. */
  readonly values: number;
  /** Index entries whose values are tested. */
  readonly tested: number;
}

/** Each takes a few milliseconds: a document about 4 us, an index entry 40 ns, a search in a value 100 ns. */
export const SERVING_LIMITS: Limits = {
  smallCollection: 2_000,
  candidates: 1_000,
  entries: 200_000,
  results: 20_000,
  skipFromStart: 1_000,
  positionGap: 128,
  ahead: 1_000,
  counted: 500,
  values: 100_000,
  tested: 20_000,
};

/** How much the cost of walking one entry grows each time the number of merged ranges doubles. */
export const MERGE_COST = 1.6;
