import { projectedFields } from '../../port/projected-fields.ts';
import type { Layout, SharedLayout } from '../layout/layout.ts';
import { type Access, type Accesses, narrows, type SortKey } from './access.ts';
import { cachedPlan } from './cached-plan.ts';
import { branchesOf, type Condition, type TestCondition } from './condition.ts';
import { type Limits, MERGE_COST, SERVING_LIMITS } from './limits.ts';
import { parseFilter } from './parse-filter.ts';
import { searchedTrigrams } from './trigrams.ts';

/** A query, prepared for a layout. */
export interface Query {
  readonly limits: Limits;
  readonly layout: Layout;
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortKey[];
  /** The top-level fields to return; all unless given. */
  readonly fields: readonly string[] | undefined;
  readonly skip: number;
  /** 0 for no limit. */
  readonly limit: number;
  readonly accesses: Accesses;
}

/**
 * How a query is answered: from a unique index, from an index walk, from few candidates, from the distinct values, from
 * the search index (all on the serving thread), or by the reader.
 */
export type Route = 'point' | 'walk' | 'candidates' | 'values' | 'search' | 'reader';

/**
 * Prepares a query.
 *
 * @throws TypeError while documents are loaded, when no index that is kept finds what the query selects: each would read all of them
 */
export function prepareQuery(
  layout: Layout,
  filter: object,
  options: { sort?: object; skip?: number; limit?: number; projection?: object } = {},
  limits: Limits = SERVING_LIMITS,
): Query {
  const { skip = 0, limit = 0 } = options;
  if (!Number.isSafeInteger(skip) || skip < 0) throw new TypeError(`Cannot skip ${skip} documents`);
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError(`Cannot limit to ${limit} documents`);
  const conditions = parseFilter(filter);
  const sort = Object.entries(options.sort ?? {})
    .filter(([, direction]) => direction !== undefined)
    .map(([path, direction]) => ({ path, descending: direction === -1 }));
  const wanted = { conditions, sort, fields: projectedFields(options.projection) };
  const accesses = cachedPlan(layout, wanted);
  if (layout.isLoading && !(accesses.narrowest && narrows(accesses.narrowest))) {
    throw new TypeError(
      `${layout.name} is open for loading, without an index for a query of ${Object.keys(filter).join(', ')}`,
    );
  }
  return { limits, layout, ...wanted, skip, limit, accesses };
}

/** The same query with other conditions. */
export function withConditions(query: Query, conditions: readonly Condition[]): Query {
  return { ...query, conditions, accesses: cachedPlan(query.layout, { ...query, conditions }) };
}

/** Whether at most one document matches, which a unique index of the collection's own table finds. */
export function isPoint({ accesses: { narrowest } }: Query): boolean {
  return narrowest?.point === true && narrowest.index.array === undefined;
}

/** The route that a query would take in a large collection. */
export function routeOf(query: Query): Route {
  const { narrowest, ordered } = query.accesses;
  if (narrowest?.point) return 'point';
  if (ordered?.residual.length === 0) {
    return query.skip + query.limit <= maxEntries(query, ordered) ? 'walk' : 'reader';
  }
  if (searchesValues(query)) return 'values';
  if (searchedTrigrams(query.layout, query.conditions)) return 'search';
  return narrowest && (narrows(narrowest) || (ordered && query.limit > 0)) ? 'candidates' : 'reader';
}

/** The most index entries that a query may walk on the serving thread; fewer where ranges are merged. */
export function maxEntries({ limits }: Query, { exploded, equalities }: Access): number {
  if (!exploded) return limits.entries;
  const ranges = equalities.reduce((product, { test }) => product * branchesOf(test), 1);
  return Math.floor(limits.entries / (1 + MERGE_COST * Math.log2(ranges)));
}

/** The table of the distinct values in which a condition searches, if there is one. */
export function sharedOf({ shared }: Layout, condition: Condition): SharedLayout | undefined {
  if (condition.kind !== 'contains' || condition.paths.length !== 1) return undefined;
  return shared.get(condition.paths[0] ?? '');
}

/** Whether a query searches in distinct values. */
export const searchesValues = ({ layout, conditions }: Query): boolean =>
  layout.shared.size > 0 && conditions.some((condition) => sharedOf(layout, condition));

/** The condition that restricts the path of the tally to some values. */
export function partOf({ layout, conditions }: Query): TestCondition | undefined {
  return conditions.find(
    (condition): condition is TestCondition =>
      condition.kind === 'test' &&
      condition.path === layout.tally?.path &&
      condition.test.op === 'in' &&
      !condition.test.orNull,
  );
}
