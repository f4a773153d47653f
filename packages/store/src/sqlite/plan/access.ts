import type { IndexLayout, KeyLayout } from '../layout/layout.ts';
import type { Condition, InTest, Test } from './condition.ts';

/** One key of a sort. */
export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
}

/** An index key that the query binds to values. */
export interface Equality {
  readonly key: KeyLayout;
  readonly test: InTest;
}

/** An index key that the query bounds. */
export interface Bound {
  readonly key: KeyLayout;
  readonly test: Test;
}

/** An access path to the candidates of a query: an index, and the part of it that is walked. */
export interface Access {
  readonly index: IndexLayout;
  /** The leading keys, all bound to values. */
  readonly equalities: readonly Equality[];
  /** Bounds of the key after them. */
  readonly bounds: readonly Bound[];
  /** The conditions that the walk does not decide, to be tested for each candidate. */
  readonly residual: readonly Condition[];
  /** Whether the walk yields the order of the sort. */
  readonly ordered: boolean;
  /** Whether the walk is split into one range per value. */
  readonly exploded: boolean;
  /** The most documents that the walk can yield; `Infinity` where that depends on the documents. */
  readonly most: number;
  /** Whether the walk yields at most one document. */
  readonly point: boolean;
  /** Whether the walk can yield a document several times. */
  readonly repeats: boolean;
  /** Whether the index holds the values that the residual conditions test. */
  readonly covered: boolean;
}

/** The access paths that a query can take. */
export interface Accesses {
  /** The most selective one; `undefined` when no index narrows or orders. */
  readonly narrowest: Access | undefined;
  /** The one through which matches are counted: as selective, and one whose index alone decides the query if there is one. */
  readonly counted: Access | undefined;
  /** The most selective one of those that yield the order of the sort. */
  readonly ordered: Access | undefined;
  /** The most selective one of those that yield the order and whose index alone answers a query with residual conditions. */
  readonly covered: Access | undefined;
  /** The most selective one of those that yield the order and whose index holds all that the query tests besides it, in one range. */
  readonly tested: Access | undefined;
  /** Those that look at a part of an index which alone decides the query and can be sorted, the most selective one first. */
  readonly sortable: readonly Access[];
  /** The most selective one of those whose index decides the query, yields its order, and has all fields of its projection. */
  readonly indexOnly: Access | undefined;
}

/** Whether an access path looks at a part of its index only. */
export const narrows = ({ equalities, bounds }: Access): boolean => equalities.length + bounds.length > 0;
