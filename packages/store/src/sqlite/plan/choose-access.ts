import type { Layout } from '../layout/layout.ts';
import { type Access, type Accesses, narrows, type SortKey } from './access.ts';
import { accessBy } from './access-by-index.ts';
import { canServe } from './can-serve.ts';
import type { Condition } from './condition.ts';
import { impliedBounds } from './implied-bounds.ts';
import { answersAlone } from './index-only.ts';

/** What a query asks of its access paths. */
export interface Wanted {
  /** The conditions that must all hold. */
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortKey[];
  /** The top-level fields to return; all unless given. */
  readonly fields: readonly string[] | undefined;
}

/** Chooses the access paths of a query. */
export function chooseAccess(layout: Layout, { conditions, sort, fields }: Wanted): Accesses {
  const implied = conditions.flatMap(impliedBounds);
  const [byId] = layout.indexes.slice(0, 1).map((index) => accessBy(index, conditions, implied, sort));
  // The most frequent access path by far, and no other one is better.
  if (byId?.point) {
    return {
      narrowest: byId,
      counted: byId,
      ordered: byId,
      covered: undefined,
      tested: undefined,
      sortable: [],
      indexOnly: undefined,
    };
  }
  const accesses = layout.indexes
    .filter((index) => canServe(index, conditions, implied, sort))
    .map((index) => accessBy(index, conditions, implied, sort))
    .filter((access) => access !== undefined);
  const ordered = accesses.filter((access) => access.ordered);
  const isPage = sort.length > 0;
  const usable = accesses.filter((access) => selectivity(access) > 0 || access.ordered);
  // Without a sort all that is found is read anyway, and an index with more keys only seems to decide more.
  const narrowest = best(usable, isPage);
  const isSurpassed = (access: Access) => narrowest !== undefined && surpasses(narrowest, access);
  const covering = ordered.filter(
    (access) => access.covered && !access.exploded && selectivity(access) > 0 && !isSurpassed(access),
  );
  const alone = ordered.filter(
    (access) =>
      fields &&
      answersAlone(access, fields) &&
      (access.residual.length === 0 || selectivity(access) > 0) &&
      !isSurpassed(access),
  );
  const testing = ordered.filter((access) => access.covered && !access.exploded);
  return {
    narrowest,
    counted: best(usable),
    ordered: best(ordered, isPage),
    // A query without a sort takes any order, and walks the most selective index.
    covered: isPage ? best(covering) : undefined,
    tested: isPage ? best(testing) : undefined,
    sortable: accesses
      .filter((access) => narrows(access) && !access.repeats && sortsInIndex(access, sort))
      .sort((a, b) => selectivity(b) - selectivity(a)),
    indexOnly: best(alone, isPage),
  };
}

/** Whether an index alone has all that a query tests and sorts by. */
function sortsInIndex({ index, residual, covered }: Access, sort: readonly SortKey[]): boolean {
  return (
    index.array === undefined &&
    (residual.length === 0 || covered) &&
    sort.every(({ path }) => index.keys.some((key) => key.path === path))
  );
}

/** How selective an access path is: a key that is bound to values counts for more than bounds. */
function selectivity({ equalities, bounds }: Access): number {
  return 2 * equalities.length + (bounds.length > 0 ? 1 : 0);
}

/** Whether an access path binds every key that another one binds, and more. */
function surpasses(access: Access, other: Access): boolean {
  const bound = new Set([...access.equalities, ...access.bounds].map(({ key }) => key.path));
  return (
    selectivity(access) > selectivity(other) &&
    [...other.equalities, ...other.bounds].every(({ key }) => bound.has(key.path))
  );
}

/** The most selective of some access paths; of equal ones, one whose index alone decides the query if `prefersCovered`. */
function best(accesses: readonly Access[], prefersCovered = true): Access | undefined {
  const rank = (access: Access): number[] => [
    access.point ? 1 : 0,
    selectivity(access),
    access.ordered ? 1 : 0,
    access.exploded ? 0 : 1,
    access.repeats ? 0 : 1,
    prefersCovered && access.covered ? 1 : 0,
    -access.index.keys.length,
  ];
  let found: { access: Access; rank: number[] } | undefined;
  for (const access of accesses) {
    const candidate = { access, rank: rank(access) };
    if (!found || isGreater(candidate.rank, found.rank)) found = candidate;
  }
  return found?.access;
}

function isGreater(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((value, at) => value !== b[at]);
  return i >= 0 && (a[i] ?? 0) > (b[i] ?? 0);
}
