import {
  type Access,
  type Accesses,
  type Cut,
  chooseAccess,
  coveredFilter,
  orderBy,
  type SortKey,
  type TestCondition,
  walk,
} from './access.ts';
import { type Condition, parseFilter } from './condition.ts';
import type { Connection } from './connection.ts';
import { type Layout, type SharedLayout, valueAt } from './layout.ts';
import { predicate, testScalar } from './predicate.ts';
import type { Reader } from './reader.ts';
import { concat, jsonPath, literal, type Sql, sql } from './sql.ts';

/** How much a statement on the serving thread may look at. */
export interface Limits {
  /** Rows of a collection that is small enough to be read as it comes. */
  readonly smallCollection: number;
  /** Candidates that are looked at as documents. */
  readonly candidates: number;
  /** Index entries that are walked. */
  readonly entries: number;
  /** Results that are found when the query has no limit. */
  readonly results: number;
  /** Results that are passed over without asking whether the end is nearer. */
  readonly skipFromStart: number;
  /** Different values that are searched. */
  readonly values: number;
  /** Index entries that are looked at more closely than for a walk. */
  readonly tested: number;
}

/** A few milliseconds each: a document takes about 4 us, an index entry 40 ns, a value in which is searched 100 ns. */
export const SERVING_LIMITS: Limits = {
  smallCollection: 2_000,
  candidates: 1_000,
  entries: 200_000,
  results: 20_000,
  skipFromStart: 1_000,
  values: 100_000,
  tested: 20_000,
};

/** What merging adds to the walk of one entry each time the number of merged ranges doubles. */
const MERGE_COST = 1.6;
/** How many times more matches of a search the reader sorts than the serving thread would look at. */
const MATCHES_PER_CANDIDATE = 5;
/** The part of the candidates, beside as many as are wanted, that is tried first. */
const FIRST_TRY = 1 / 8;
/** The shortest term, in code points, that the search index knows. */
const SEARCHABLE_CODE_POINTS = 3;
/** Trigrams asked of the search index for one term; more would hardly narrow, and cost time. */
const MAX_TRIGRAMS = 16;
/** As many of them as are asked for first: those that the fewest documents seem to have. */
const RARE_TRIGRAMS = 4;
/** The match of a trigram by whose place it is judged how rare it is. */
const JUDGED_MATCH = 32;

/** A query, prepared for a layout. */
export interface Query {
  readonly limits: Limits;
  readonly layout: Layout;
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortKey[];
  readonly skip: number;
  /** 0 for no limit. */
  readonly limit: number;
  readonly accesses: Accesses;
}

/** How a query is answered: on the serving thread for sure, when candidates are few, by what values there are, by the search index, or in the reader. */
export type Route = 'point' | 'walk' | 'candidates' | 'values' | 'search' | 'reader';

/** Prepares a query. */
export function prepareQuery(
  layout: Layout,
  filter: object,
  options: { sort?: object; skip?: number; limit?: number } = {},
  limits: Limits = SERVING_LIMITS,
): Query {
  const { skip = 0, limit = 0 } = options;
  if (!Number.isSafeInteger(skip) || skip < 0) throw new TypeError(`Cannot skip ${skip} documents`);
  if (!Number.isSafeInteger(limit) || limit < 0) throw new TypeError(`Cannot limit to ${limit} documents`);
  const conditions = parseFilter(filter);
  const sort = Object.entries(options.sort ?? {})
    .filter(([, direction]) => direction !== undefined)
    .map(([path, direction]) => ({ path, descending: direction === -1 }));
  return { limits, layout, conditions, sort, skip, limit, accesses: chooseAccess(layout, conditions, sort) };
}

/** A row with its document. */
export interface Found {
  readonly n: number;
  /** JSON. */
  readonly document: string;
}

/** The one document that answers a query whose access is a point of a unique index. */
export function locatePoint(connection: Connection, query: Query): Found | undefined {
  const { layout, accesses } = query;
  const { narrowest } = accesses;
  if (!narrowest?.point || narrowest.index.array !== undefined) throw new Error('Not a point');
  const residual =
    narrowest.residual.length > 0 ? predicate(layout, narrowest.residual, { many: false }) : undefined;
  const row = connection.get(walk(narrowest, [], { limit: 1, skip: query.skip }, residual, 'n, json(doc)'));
  return row && { n: Number(row[0]), document: String(row[1]) };
}

/** Whether `locatePoint` answers a query. */
export function isPoint({ accesses: { narrowest } }: Query): boolean {
  return narrowest?.point === true && narrowest.index.array === undefined;
}

/** The text of a row's document, if it is there; with a query, on the condition that it answers it. */
export function load(connection: Connection, layout: Layout, n: number, query?: Query): string | undefined {
  const row = connection.get(
    concat(
      sql(`SELECT json(doc) FROM ${layout.table} WHERE n = ?`, n),
      query ? concat(' AND ', verified(query)) : '',
    ),
  );
  return row && String(row[0]);
}

/** The documents of rows, in their order; those that are gone, or with a query do not answer it, are left out. */
export function loadAll(
  connection: Connection,
  layout: Layout,
  rows: readonly number[],
  { query, fields }: { readonly query?: Query | undefined; readonly fields?: readonly string[] } = {},
): unknown[] {
  const statement = concat(
    // One text for all is read much faster than one for each.
    fields
      ? `SELECT '[' || ifnull(group_concat(${objectOf(fields)}, ',' ORDER BY place), '') || ']' FROM `
      : 'SELECT json_group_array(jsonb(doc) ORDER BY place) FROM ',
    inOrder(layout, rows),
    query ? concat(' WHERE ', verified(query)) : '',
  );
  return JSON.parse(String(connection.get(statement)?.[0]));
}

/** The text of a document with some of its top-level fields, so that no others are written and read. */
function objectOf(fields: readonly string[]): string {
  const members = fields.map(
    (field) => `ifnull(${literal(`,${JSON.stringify(field)}:`)} || (doc -> ${jsonPath([field])}), '')`,
  );
  return ['\'{"_id":\'', "(doc -> '$._id')", ...members, "'}'"].join(' || ');
}

/** The statement that deletes rows; with a query, those of them that answer it. */
export function deletion({ table }: Layout, rows: readonly number[], query?: Query): Sql {
  return concat(
    // No other index may lure the planner away from the rows.
    sql(`DELETE FROM ${table} NOT INDEXED WHERE n IN (SELECT value FROM json_each(?))`, JSON.stringify(rows)),
    query ? concat(' AND ', verified(query)) : '',
  );
}

const verified = ({ layout, conditions }: Query): Sql => predicate(layout, conditions, { many: false });

/** Rows beside their `place` in a list. */
function inOrder(layout: Layout, rows: readonly number[]): Sql {
  const listed = sql('(SELECT key AS place, value AS listed FROM json_each(?))', JSON.stringify(rows));
  return concat(listed, ` CROSS JOIN ${layout.table} ON n = listed`);
}

/** The rows' `n` that answer a query, if that can be told in a few milliseconds; else `undefined`. */
export function locate(connection: Connection, asked: Query): readonly number[] | undefined {
  const query = searchesValues(asked) ? withValues(connection, asked) : asked;
  const { limits, sort, skip, limit, accesses } = query;
  const { narrowest, ordered } = accesses;
  if (narrowest?.point) return rows(connection, wholeAnswer(query, narrowest));
  if (ordered?.residual.length === 0) {
    const entries = maxEntries(query, ordered);
    if (limit > 0) {
      const fromEnd = locateFromEnd(connection, query, ordered);
      if (fromEnd) return fromEnd;
      if (skip + limit <= entries) return rows(connection, wholeAnswer(query, ordered));
    } else {
      const most = Math.min(entries, limits.results);
      const found = rows(connection, walk(ordered, sort, { limit: most + 1, skip: 0 }));
      if (found.length <= most) return found.slice(skip);
    }
    if (!isSmall(connection, query)) return undefined;
  }
  if (isSmall(connection, query)) return rows(connection, wholeAnswer(query, narrowest));
  const searched = searchCandidates(connection, query);
  if (searched) return rows(connection, amongAnswer(query, searched));
  if (narrowest && narrows(narrowest) && hasFew(connection, narrowest, limits.candidates)) {
    return rows(connection, wholeAnswer(query, narrowest));
  }
  const { covered } = accesses;
  if (covered && hasFew(connection, covered, limits.tested)) {
    return rows(connection, coveredAnswer(query, covered));
  }
  return ordered && limit > 0 ? locateAmongFirst(connection, query, ordered) : undefined;
}

/** What is found among the first candidates of a walk: among a few, where most of them answer the query, else among more. */
function locateAmongFirst(
  connection: Connection,
  query: Query,
  ordered: Access,
): readonly number[] | undefined {
  const { limits, sort, skip, limit } = query;
  const wanted = skip + limit;
  const tries = [wanted + Math.floor(limits.candidates * FIRST_TRY), limits.candidates];
  for (const most of tries.filter((tried) => wanted <= tried && tried <= limits.candidates)) {
    const candidates = rows(connection, walk(ordered, sort, { limit: most, skip: 0 }));
    const found = rows(connection, filterInOrder(query, candidates));
    if (found.length === limit) return found;
  }
  return undefined;
}

/** Walks backwards from the end when the page is nearer to it, which can be told when the tally knows the total. */
function locateFromEnd(connection: Connection, query: Query, ordered: Access): readonly number[] | undefined {
  const { sort, skip, limit } = query;
  if (skip <= query.limits.skipFromStart || !sort.some(({ path }) => path === '_id')) return undefined;
  const total = countByTally(connection, query);
  if (total === undefined) return undefined;
  const left = Math.max(total - skip, 0);
  if (left > skip || left > maxEntries(query, ordered)) return undefined;
  const backwards = sort.map(({ path, descending }) => ({ path, descending: !descending }));
  const cut = { limit: Math.min(limit, left), skip: Math.max(left - limit, 0) };
  return rows(connection, walk(ordered, backwards, cut)).toReversed();
}

/** The number of documents that answer a query, if it can be told in a few milliseconds; else `undefined`. */
export function count(connection: Connection, asked: Query): number | undefined {
  const kept = countByTally(connection, asked) ?? countByValues(connection, asked);
  if (kept !== undefined) return kept;
  const query = searchesValues(asked) ? withValues(connection, asked) : asked;
  if (query !== asked) {
    const left = countByTally(connection, query) ?? countByValues(connection, query);
    if (left !== undefined) return left;
  }
  const { limits, accesses } = query;
  const { narrowest } = accesses;
  if (narrowest?.residual.length === 0) {
    const most = narrowest.repeats ? limits.results : limits.entries;
    const counted = number(connection, countOf(walk(narrowest, [], { limit: most + 1, skip: 0 })));
    return counted <= most ? counted : undefined;
  }
  if (isSmall(connection, query)) return number(connection, wholeCount(query));
  const searched = searchCandidates(connection, query);
  if (searched) return number(connection, countOf(amongAnswer(query, searched)));
  if (narrowest && narrows(narrowest) && hasFew(connection, narrowest, limits.candidates))
    return number(connection, wholeCount(query));
  return undefined;
}

/** Finds the rows' `n` that answer a query, however long it takes. */
export async function locateLong(reader: Reader, query: Query): Promise<readonly number[]> {
  const all = async (statement: Sql) => (await reader.all(statement)).map(([n]) => Number(n));
  const search = query.conditions.find((condition) => condition.kind === 'contains');
  if (search) {
    const [[matches] = []] = await reader.all(searchedRows(query, search));
    const found: number[] = JSON.parse(String(matches));
    // Many matches are met early by a walk in order; few are sorted faster than they are met.
    if (found.length <= query.limits.candidates * MATCHES_PER_CANDIDATE)
      return all(amongAnswer(query, found));
  }
  return all(longAnswer(query));
}

/** The statement that answers a query in one go; rows of one column, `n`. */
export function longAnswer(query: Query): Sql {
  const { covered, narrowest } = query.accesses;
  return covered ? coveredAnswer(query, covered) : wholeAnswer(query, narrowest);
}

/** The statement that answers a query from an index alone. */
function coveredAnswer({ sort, skip, limit }: Query, covered: Access): Sql {
  return walk(covered, sort, { skip, limit: limit || -1 }, coveredFilter(covered));
}

/** The statement that counts what answers a query, however long it takes. */
export function wholeCount(query: Query): Sql {
  const searched = inSearched(query, query.conditions);
  if (searched) return concat('SELECT count(*) ', searched);
  return countOf(
    wholeAnswer({ ...query, sort: [], skip: 0, limit: 0 }, query.accesses.narrowest, { many: true }),
  );
}

/** The rows that a search finds, from its index alone, where that has all the conditions are about. */
function inSearched(query: Query, conditions: readonly Condition[]): Sql | undefined {
  const { layout } = query;
  const { search } = layout;
  const part = partOf(query);
  const isThere = (condition: Condition) =>
    condition === part ||
    (condition.kind === 'contains' && condition.paths.every((path) => search?.paths.includes(path)));
  if (!search || !conditions.some(({ kind }) => kind === 'contains') || !conditions.every(isThere))
    return undefined;
  const from = `FROM ${layout.table} INDEXED BY ${search.index} WHERE `;
  return concat(from, predicate(layout, conditions, { many: false }));
}

/** The statement that lists the rows' `n` that a search finds, as far as they are to be sorted, in one text: it crosses threads. */
function searchedRows(query: Query, search: Condition): Sql {
  const { layout, limits } = query;
  const from = `FROM ${layout.table} WHERE `;
  return concat(
    'SELECT json_group_array(n) FROM (SELECT n ',
    inSearched(query, [search]) ?? concat(from, predicate(layout, [search], { many: true })),
    sql(' LIMIT ?)', limits.candidates * MATCHES_PER_CANDIDATE + 1),
  );
}

/** The route that `locate` would take in a large collection. */
export function routeOf(query: Query): Route {
  const { narrowest, ordered } = query.accesses;
  if (narrowest?.point) return 'point';
  if (ordered?.residual.length === 0) {
    return query.skip + query.limit <= maxEntries(query, ordered) ? 'walk' : 'reader';
  }
  if (searchesValues(query)) return 'values';
  if (searchedTrigrams(query)) return 'search';
  return narrowest && (narrows(narrowest) || (ordered && query.limit > 0)) ? 'candidates' : 'reader';
}

function wholeAnswer(query: Query, access: Access | undefined, options = { many: false }): Sql {
  const { layout, conditions, sort, skip, limit } = query;
  const cut = { skip, limit: limit || -1 };
  if (!access) return rowsWhere(query, sql(''), predicate(layout, conditions, options));
  const residual = access.residual.length > 0 ? predicate(layout, access.residual, options) : undefined;
  if (access.ordered && (access.index.array === undefined || !residual))
    return walk(access, sort, cut, residual);
  const candidates = concat('n IN (', walk(access, [], { limit: -1, skip: 0 }), ')');
  // No other index may lure the planner away from the candidates.
  return rowsWhere(query, sql(' NOT INDEXED'), residual ? concat(candidates, ' AND ', residual) : candidates);
}

function amongAnswer(query: Query, candidates: readonly number[]): Sql {
  const among = sql('n IN (SELECT value FROM json_each(?)) AND ', JSON.stringify(candidates));
  const where = concat(among, verified(query));
  return rowsWhere(query, sql(' NOT INDEXED'), where);
}

function rowsWhere({ layout, sort, skip, limit }: Query, indexed: Sql, where: Sql): Sql {
  return concat(
    `SELECT n FROM ${layout.table}`,
    indexed,
    ' WHERE ',
    where,
    orderBy(
      sort.map(({ path }) => valueAt(layout, path)),
      sort,
    ),
    sql(' LIMIT ? OFFSET ?', limit || -1, skip),
  );
}

function filterInOrder(query: Query, candidates: readonly number[]): Sql {
  return concat(
    'SELECT n FROM ',
    inOrder(query.layout, candidates),
    ' WHERE ',
    verified(query),
    sql(' ORDER BY place LIMIT ? OFFSET ?', query.limit, query.skip),
  );
}

const narrows = ({ equalities, bounds }: Access) => equalities.length + bounds.length > 0;

function maxEntries({ limits }: Query, { exploded, equalities }: Access): number {
  if (!exploded) return limits.entries;
  const ranges = equalities.reduce(
    (product, { test }) => product * (test.values.length + (test.orNull ? 1 : 0)),
    1,
  );
  return Math.floor(limits.entries / (1 + MERGE_COST * Math.log2(ranges)));
}

function isSmall(connection: Connection, { layout, limits }: Query): boolean {
  return spanOf(connection, layout.table) < limits.smallCollection;
}

/** About as many rows as a table has, or more. */
function spanOf(connection: Connection, table: string): number {
  return number(
    connection,
    sql(`SELECT ifnull((SELECT max(n) FROM ${table}) - (SELECT min(n) FROM ${table}), 0)`),
  );
}

function hasFew(connection: Connection, access: Access, most: number): boolean {
  if (access.most <= most) return true;
  const some = { limit: most + 1, skip: 0 };
  return number(connection, countOf(walk({ ...access, ordered: false }, [], some))) <= most;
}

/** What the search index says of the terms of a query: candidates to verify, if there are few. */
function searchCandidates(connection: Connection, query: Query): readonly number[] | undefined {
  const { layout, limits } = query;
  const trigrams = searchedTrigrams(query);
  if (!trigrams || !layout.search) return undefined;
  const { table } = layout.search;
  // Trigrams that nearly all documents have take their time and exclude nobody.
  const rare = trigrams.length > RARE_TRIGRAMS ? rarest(connection, table, trigrams) : [];
  for (const some of rare.length > 0 ? [rare, trigrams] : [trigrams]) {
    const found = rows(connection, matching(table, some, { limit: limits.candidates + 1, skip: 0 }));
    if (found.length <= limits.candidates) return found;
  }
  return undefined;
}

/** Some trigrams, judged by how far one has to go for a number of documents that have them. */
function rarest(connection: Connection, table: string, trigrams: readonly string[]): readonly string[] {
  const judged = trigrams.map((trigram) => {
    const [row] = rows(connection, matching(table, [trigram], { limit: 1, skip: JUDGED_MATCH }));
    return { trigram, row: row ?? Number.POSITIVE_INFINITY };
  });
  judged.sort((a, b) => (a.row < b.row ? 1 : -1));
  return judged.slice(0, RARE_TRIGRAMS).map(({ trigram }) => trigram);
}

/** The rows that have all of these trigrams. */
function matching(table: string, trigrams: readonly string[], { limit, skip }: Cut): Sql {
  const match = trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
  return sql(`SELECT rowid AS n FROM ${table} WHERE ${table} MATCH ? LIMIT ? OFFSET ?`, match, limit, skip);
}

/** What the search index can be asked for of a query. */
function searchedTrigrams({ layout, conditions }: Query): readonly string[] | undefined {
  for (const condition of conditions) {
    if (condition.kind !== 'contains') continue;
    if (!condition.paths.every((path) => layout.search?.paths.includes(path))) continue;
    const characters = [...condition.term];
    if (characters.length < SEARCHABLE_CODE_POINTS || condition.term.includes('\0')) continue;
    const trigrams = new Set(
      characters
        .slice(SEARCHABLE_CODE_POINTS - 1)
        .map((_, i) => characters.slice(i, i + SEARCHABLE_CODE_POINTS).join('')),
    );
    return [...trigrams].slice(0, MAX_TRIGRAMS);
  }
  return undefined;
}

/** The answer of the tally, when the filter asks for nothing but values of its path. */
function countByTally(connection: Connection, { layout, conditions }: Query): number | undefined {
  const [condition] = conditions;
  if (!layout.tally || conditions.length !== 1 || condition?.kind !== 'test') return undefined;
  const { path, test } = condition;
  if (path !== layout.tally.path || test.op !== 'in' || test.orNull) return undefined;
  const values = JSON.stringify(test.values);
  return number(
    connection,
    sql(
      `SELECT total(total) FROM ${layout.tally.table} WHERE value IN (SELECT value FROM json_each(?))`,
      values,
    ),
  );
}

/** Where a condition is searched for, if it is for a term in values that documents share. */
function sharedOf({ shared }: Layout, condition: Condition): SharedLayout | undefined {
  if (condition.kind !== 'contains' || condition.paths.length !== 1) return undefined;
  return shared.get(condition.paths[0] ?? '');
}

const searchesValues = ({ layout, conditions }: Query) =>
  layout.shared.size > 0 && conditions.some((condition) => sharedOf(layout, condition));

/** The condition that says which values the path of the tally may have. */
function partOf({ layout, conditions }: Query): TestCondition | undefined {
  return conditions.find(
    (condition): condition is TestCondition =>
      condition.kind === 'test' &&
      condition.path === layout.tally?.path &&
      condition.test.op === 'in' &&
      !condition.test.orNull,
  );
}

/** The rows of the values that a search finds, of the documents that the query is about as far as the tally tells them apart. */
function valuesFound(connection: Connection, query: Query, search: Condition): Sql | undefined {
  const shared = sharedOf(query.layout, search);
  if (!shared || search.kind !== 'contains') return undefined;
  if (spanOf(connection, shared.table) >= query.limits.values) return undefined;
  const part = partOf(query);
  return concat(
    sql(`FROM ${shared.table} WHERE instr(value, ?) > 0`, search.term),
    part ? concat(' AND ', testScalar('part', part.test)) : '',
  );
}

/**
 * The same query, as far as the different values settle its searches: with the values in place of a search that
 * finds few, to which an index leads then, and without one that finds all there are.
 */
function withValues(connection: Connection, query: Query): Query {
  const { layout, limits } = query;
  const part = partOf(query);
  const all = part && countByTally(connection, { ...query, conditions: [part] });
  const conditions = query.conditions.flatMap((condition): Condition[] => {
    const found = valuesFound(connection, query, condition);
    if (!found || condition.kind !== 'contains') return [condition];
    const some = connection.all(
      concat('SELECT DISTINCT value ', found, sql(' LIMIT ?', limits.candidates + 1)),
    );
    if (some.length <= limits.candidates) {
      const values = some.map(([value]) => String(value));
      return condition.paths.map((path) => ({
        kind: 'test',
        path,
        test: { op: 'in', values, orNull: false },
      }));
    }
    return number(connection, concat('SELECT total(total) ', found)) === all ? [] : [condition];
  });
  return { ...query, conditions, accesses: chooseAccess(layout, conditions, query.sort) };
}

/** The answer of the counts of values, when the filter asks for nothing but a search in them and values of the tally. */
function countByValues(connection: Connection, query: Query): number | undefined {
  const part = partOf(query);
  const [search, ...others] = query.conditions.filter((condition) => condition !== part);
  const found = search && others.length === 0 ? valuesFound(connection, query, search) : undefined;
  return found && number(connection, concat('SELECT total(total) ', found));
}

const countOf = (statement: Sql): Sql => concat('SELECT count(*) FROM (', statement, ')');

function rows(connection: Connection, statement: Sql): readonly number[] {
  return connection.all(statement).map(([n]) => Number(n));
}

function number(connection: Connection, statement: Sql): number {
  return Number(connection.get(statement)?.[0]);
}
