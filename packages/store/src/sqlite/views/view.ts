import type { Scalars } from './scalars.ts';

/** A change of a document: its scalars before and after; no `before` when it is new, no `after` when it was deleted. */
export interface RowChange {
  readonly before: Scalars | undefined;
  readonly after: Scalars | undefined;
}

/** A result of a query in memory that every write keeps up to date. */
export interface View {
  /** The columns that it depends on: an update of others does not concern it. */
  readonly columns: ReadonlySet<number>;
  /** Applies a committed change that may concern it. */
  follow(change: RowChange): void;
  /** About the memory that it takes, in bytes. */
  readonly bytes: number;
}
