import { concat, join, type Sql, sql } from '../engine/sql.ts';
import { valueAt } from '../layout/layout.ts';
import type { Access } from '../plan/access.ts';
import type { Condition } from '../plan/condition.ts';
import { partOf, type Query } from '../plan/query.ts';
import { inOrder, verified } from './documents.ts';
import { predicate, testScalar } from './predicate.ts';
import { columnIn, coveredFilter, orderBy, walk } from './walk.ts';

/** How many times more matches of a search the reader sorts than candidates are read on the serving thread. */
const MATCHES_PER_CANDIDATE = 5;

/** The statement that answers a query in one step; rows of one column, `n`. */
export function longAnswer(query: Query): Sql {
  const { covered, narrowest, sortable } = query.accesses;
  if (narrowest && !narrowest.ordered && sortable.includes(narrowest)) return sortedAnswer(query, narrowest);
  return covered ? coveredAnswer(query, covered) : wholeAnswer(query, narrowest);
}

/** The statement that answers a query from an index alone. */
export function coveredAnswer({ sort, skip, limit }: Query, covered: Access): Sql {
  return walk(covered, sort, { skip, limit: limit || -1 }, coveredFilter(covered));
}

/**
 * The statement that finds the matches among the first entries of an access path that yields the order, from its index alone.
 *
 * @param entries the number of entries that are walked at most
 */
export function testedAnswer({ sort, skip, limit }: Query, tested: Access, entries: number): Sql {
  const yields = tested.residual.map((condition, i) => `${columnOf(tested, condition)} AS t${i}`);
  const tests = tested.residual.flatMap((condition, i) =>
    condition.kind === 'test' ? [testScalar(`t${i}`, condition.test)] : [],
  );
  return concat(
    'SELECT n FROM (',
    walk(tested, sort, { limit: entries, skip: 0 }, undefined, ['n', ...yields]),
    ') WHERE ',
    join(tests, ' AND ', '1'),
    sql(' LIMIT ? OFFSET ?', limit, skip),
  );
}

/** The statement that sorts the matches of an access path, from its index alone. */
export function sortedAnswer({ sort, skip, limit }: Query, access: Access): Sql {
  const columns = sort.map(({ path }) => columnIn(access.index, path));
  return concat(
    'SELECT n FROM (',
    walk({ ...access, ordered: false, exploded: false }, [], { limit: -1, skip: 0 }, coveredFilter(access), [
      'n',
      ...columns.map((column, i) => `${column} AS s${i}`),
    ]),
    ')',
    orderBy(
      columns.map((_, i) => `s${i}`),
      sort,
    ),
    sql(' LIMIT ? OFFSET ?', limit || -1, skip),
  );
}

const columnOf = ({ index }: Access, condition: Condition): string =>
  columnIn(index, condition.kind === 'test' ? condition.path : '_id');

/** The statement that answers a query through an access path, or without one from the whole table. */
export function wholeAnswer(query: Query, access: Access | undefined, options = { many: false }): Sql {
  const { layout, conditions, sort, skip, limit } = query;
  const cut = { skip, limit: limit || -1 };
  if (!access) return rowsWhere(query, sql(''), predicate(layout, conditions, options));
  const residual = access.residual.length > 0 ? predicate(layout, access.residual, options) : undefined;
  if (access.ordered && (access.index.array === undefined || !residual))
    return walk(access, sort, cut, residual);
  const candidates = concat('n IN (', walk(access, [], { limit: -1, skip: 0 }), ')');
  // Keeps the planner from taking another index than the one that found the candidates.
  return rowsWhere(query, sql(' NOT INDEXED'), residual ? concat(candidates, ' AND ', residual) : candidates);
}

/** The statement that answers a query from the rows that are its only candidates. */
export function amongAnswer(query: Query, candidates: readonly number[]): Sql {
  const among = sql('n IN (SELECT value FROM json_each(?)) AND ', JSON.stringify(candidates));
  const where = concat(among, verified(query));
  return rowsWhere(query, sql(' NOT INDEXED'), where);
}

/** The statement that answers a query from candidates that are in the order of its sort. */
export function filterInOrder(query: Query, candidates: readonly number[]): Sql {
  return concat(
    'SELECT n FROM ',
    inOrder(query.layout, candidates),
    ' WHERE ',
    verified(query),
    sql(' ORDER BY position LIMIT ? OFFSET ?', query.limit, query.skip),
  );
}

/** The statement that counts the documents that match, however long it takes. */
export function wholeCount(query: Query): Sql {
  const searched = inSearched(query, query.conditions);
  if (searched) return concat('SELECT count(*) ', searched);
  return countOf(
    wholeAnswer({ ...query, sort: [], skip: 0, limit: 0 }, query.accesses.counted, { many: true }),
  );
}

/** The statement that counts the rows of another one. */
export const countOf = (statement: Sql): Sql => concat('SELECT count(*) FROM (', statement, ')');

/**
 * The statement that lists the rows that match a search as one JSON text, which crosses threads fastest; one more than
 * `maxSorted` when there are more.
 */
export function searchedRows(query: Query, search: Condition): Sql {
  const { layout } = query;
  const from = `FROM ${layout.table} WHERE `;
  return concat(
    'SELECT json_group_array(n) FROM (SELECT n ',
    inSearched(query, [search]) ?? concat(from, predicate(layout, [search], { many: true })),
    sql(' LIMIT ?)', maxSorted(query) + 1),
  );
}

/** The most matches of a search that the reader sorts; more of them are met sooner by a walk in order. */
export const maxSorted = ({ limits }: Query): number => limits.candidates * MATCHES_PER_CANDIDATE;

/** The rows that match conditions, read from the index over the searched columns alone; `undefined` where it lacks a column. */
function inSearched(query: Query, conditions: readonly Condition[]): Sql | undefined {
  const { layout } = query;
  const { search } = layout;
  const part = partOf(query);
  const isInIndex = (condition: Condition) =>
    condition === part ||
    (condition.kind === 'contains' && condition.paths.every((path) => search?.paths.includes(path)));
  if (!search || !conditions.some(({ kind }) => kind === 'contains') || !conditions.every(isInIndex))
    return undefined;
  const from = `FROM ${layout.table} INDEXED BY ${search.index} WHERE `;
  return concat(from, predicate(layout, conditions, { many: false }));
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
