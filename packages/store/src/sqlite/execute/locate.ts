import {
  amongAnswer,
  countOf,
  coveredAnswer,
  filterInOrder,
  longAnswer,
  maxSorted,
  searchedRows,
  sortedAnswer,
  testedAnswer,
  wholeAnswer,
} from '../compile/answer.ts';
import { walkFrom } from '../compile/positions.ts';
import { predicate } from '../compile/predicate.ts';
import { walk } from '../compile/walk.ts';
import type { Connection } from '../engine/connection.ts';
import type { Reader } from '../engine/reader.ts';
import type { RecentDocuments } from '../engine/recent-documents.ts';
import type { Sql } from '../engine/sql.ts';
import { type Access, narrows } from '../plan/access.ts';
import { maxEntries, type Query, searchesValues } from '../plan/query.ts';
import { keepsResults, type Located, resultsToFind, type Views } from '../views/views.ts';
import { withValues } from './kept-counts.ts';
import type { Found } from './load.ts';
import { selectColumn, selectNumber, spanOf } from './run.ts';
import { searchCandidates } from './search-index.ts';
import { testScalars } from './test-scalars.ts';

/** How many entries of an index that alone decides a query are sorted in the time in which one document is read, about. */
const SORTED_PER_CANDIDATE = 5;

/** The part of the candidates, in addition to as many as the page needs, that is tried first. */
const FIRST_TRY = 1 / 8;

/**
 * The one document that matches a query for which `isPoint` holds. What the index does not decide is tested in the parsed document
 * if possible: SQL for a field that could be an array takes three times as long as the read.
 */
export function locatePoint(
  connection: Connection,
  recent: RecentDocuments,
  query: Query,
): Found | undefined {
  const { narrowest } = query.accesses;
  if (!narrowest?.point || narrowest.index.array !== undefined) throw new Error('Not a point');
  const { residual } = narrowest;
  const id = idOfPoint(narrowest);
  const written = id === undefined ? undefined : recent.writtenById(id);
  const found = written ?? readPoint(connection, query, narrowest, undefined);
  if (!found || residual.length === 0) return found;
  const parsed: object = JSON.parse(found.document);
  const matches = testScalars(parsed, residual);
  if (matches !== undefined) return matches ? { ...found, parsed } : undefined;
  return readPoint(connection, query, narrowest, predicate(query.layout, residual, { many: false }));
}

/** The id to which an access path leads, if it is a point of the index of ids. */
export function idOfPoint({ index, equalities }: Access): string | undefined {
  const id = index.name === '_id' ? equalities[0]?.test.values[0] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function readPoint(
  connection: Connection,
  { skip }: Query,
  point: Access,
  residual: Sql | undefined,
): Found | undefined {
  const row = connection.get(walk(point, [], { limit: 1, skip }, residual, ['n', 'json(doc)']));
  return row && { n: Number(row[0]), document: String(row[1]) };
}

/**
 * The rows' `n` that match a query, if a few milliseconds are enough to find them; else `undefined`.
 *
 * @param views of the collection; not inside a transaction, whose changes they lack
 */
export function locate(connection: Connection, query: Query, views?: Views): readonly number[] | undefined {
  const { skip, limit, limits } = query;
  const kept = views?.results(query);
  if (kept) return kept;
  if (!views || !keepsResults(query) || skip > limits.skipFromStart) return find(connection, query, views);
  const found = find(connection, { ...query, skip: 0, limit: skip + limit }, views);
  if (found) views.keepResults(query, found, { isComplete: found.length < skip + limit });
  return found?.slice(skip);
}

function find(connection: Connection, original: Query, views?: Views): readonly number[] | undefined {
  const query = searchesValues(original) ? withValues(connection, original) : original;
  const { limits, sort, skip, limit, accesses } = query;
  const { narrowest, ordered } = accesses;
  if (narrowest?.point) return selectColumn(connection, wholeAnswer(query, narrowest));
  if (ordered?.residual.length === 0) {
    const entries = maxEntries(query, ordered);
    if (limit > 0) {
      const page =
        views && skip > limits.skipFromStart && locateByPosition(connection, query, ordered, views);
      if (page) return page;
      if (skip + limit <= entries) return selectColumn(connection, wholeAnswer(query, ordered));
    } else {
      const most = Math.min(entries, limits.results);
      const found = selectColumn(connection, walk(ordered, sort, { limit: most + 1, skip: 0 }));
      if (found.length <= most) return found.slice(skip);
    }
    if (!isSmall(connection, query)) return undefined;
  }
  if (isSmall(connection, query)) return selectColumn(connection, wholeAnswer(query, narrowest));
  const searched = searchCandidates(connection, query);
  if (searched) return selectColumn(connection, amongAnswer(query, searched));
  const sorted = locateBySorting(connection, query, SORTED_PER_CANDIDATE * limits.candidates);
  if (sorted) return sorted;
  if (narrowest && narrows(narrowest) && hasFew(connection, narrowest, limits.candidates)) {
    return selectColumn(connection, wholeAnswer(query, narrowest));
  }
  const tested = limit > 0 && narrowest ? locateAmongTested(connection, query) : undefined;
  if (tested) return tested;
  const resorted = locateBySorting(connection, query, limits.tested);
  if (resorted) return resorted;
  const { covered } = accesses;
  if (covered && hasFew(connection, covered, limits.tested)) {
    return selectColumn(connection, coveredAnswer(query, covered));
  }
  return ordered && limit > 0 ? locateAmongFirst(connection, query, ordered, views) : undefined;
}

/** Finds the rows' `n` that match a query, however long it takes. */
export async function locateLong(reader: Reader, query: Query): Promise<Located> {
  const all = async (statement: Sql): Promise<Located> => {
    const {
      rows: [found = []],
      at,
    } = await reader.snapshot([statement]);
    return { rows: found.map(([n]) => Number(n)), at };
  };
  const search = query.conditions.find((condition) => condition.kind === 'contains');
  if (search) {
    const {
      rows: [matches],
      at,
    } = await reader.snapshot([searchedRows(query, search)]);
    const found: number[] = JSON.parse(String(matches?.[0]?.[0]));
    // A walk in order meets many matches early; few are sorted sooner than it meets them.
    if (found.length <= maxSorted(query)) return { rows: (await all(amongAnswer(query, found))).rows, at };
  }
  return all(longAnswer(query));
}

/** Whether a collection is small enough to be read as a whole. */
export function isSmall(connection: Connection, { layout, limits }: Query): boolean {
  return spanOf(connection, layout.table) < limits.smallCollection;
}

/** Whether an access path yields at most so many candidates. */
export function hasFew(connection: Connection, access: Access, most: number): boolean {
  if (access.most <= most) return true;
  const some = { limit: most + 1, skip: 0 };
  return selectNumber(connection, countOf(walk({ ...access, ordered: false }, [], some))) <= most;
}

/**
 * Finds a page among the first candidates of a walk: among few, where most of them match, else among more. The walk begins at
 * the known position before a deep page.
 */
function locateAmongFirst(
  connection: Connection,
  query: Query,
  ordered: Access,
  views: Views | undefined,
): readonly number[] | undefined {
  const { limits, sort, limit } = query;
  const isDeep = query.skip > limits.skipFromStart && resultsToFind(query) === undefined;
  const positions = isDeep ? views?.positions(query, ordered) : undefined;
  const place = positions ? positions.placeOf(query.skip) : { from: undefined, skip: query.skip };
  if (!place) return [];
  const { from, skip } = place;
  const needed = skip + limit;
  const tries = [needed + Math.floor(limits.candidates * FIRST_TRY), limits.candidates];
  for (const most of tries.filter((tried) => needed <= tried && tried <= limits.candidates)) {
    const candidates = selectColumn(connection, walkFrom(ordered, sort, from, { limit: most, skip: 0 }));
    const found = selectColumn(connection, filterInOrder({ ...query, skip }, candidates));
    if (found.length === limit || candidates.length < most) return found;
  }
  return undefined;
}

/** Sorts a part of an index that alone decides the query, if there is one of at most so many entries. */
function locateBySorting(connection: Connection, query: Query, most: number): readonly number[] | undefined {
  const few = query.accesses.sortable.find((access) => hasFew(connection, access, most));
  return few && selectColumn(connection, sortedAnswer(query, few));
}

/** Finds a page among the first entries of an index that holds all that is tested. */
function locateAmongTested(connection: Connection, query: Query): readonly number[] | undefined {
  const { tested } = query.accesses;
  const { skip, limit, limits } = query;
  if (!tested || skip + limit > limits.tested) return undefined;
  const found = selectColumn(connection, testedAnswer(query, tested, limits.tested));
  return found.length === limit || hasFew(connection, tested, limits.tested - 1) ? found : undefined;
}

/** Begins at the known position before a page; `undefined` while the positions are not known. */
function locateByPosition(
  connection: Connection,
  query: Query,
  ordered: Access,
  views: Views,
): readonly number[] | undefined {
  const positions = views.positions(query, ordered);
  if (!positions) return undefined;
  const { sort, limit } = query;
  const place = positions.placeOf(query.skip);
  return place
    ? selectColumn(connection, walkFrom(ordered, sort, place.from, { limit, skip: place.skip }))
    : [];
}
