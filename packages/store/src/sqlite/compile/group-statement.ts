import { concat, type Sql, sql } from '../engine/sql.ts';
import { valueAt } from '../layout/layout.ts';
import { narrows } from '../plan/access.ts';
import type { Query } from '../plan/query.ts';
import { predicate } from './predicate.ts';
import { walk } from './walk.ts';

/** How documents are grouped, and which of the groups are returned. */
export interface Grouping {
  /** The path of the value that the documents of a group share. */
  readonly by: string;
  /** The path of the number that is summed. */
  readonly sum: string;
  readonly order: 'value' | 'count' | 'sum';
  readonly direction: 1 | -1;
  readonly skip: number;
  /** 0 for no limit. */
  readonly limit: number;
}

/**
 * The statement that groups the documents that match: rows of the number of groups, and a value, a count and a sum.
 * These are null in the one row of a page that has no group.
 */
export function groupStatement(query: Query, { order, direction, skip, limit, ...paths }: Grouping): Sql {
  const by = direction === -1 ? `${order} DESC` : order;
  const ends = sql(`ORDER BY ${by}, value LIMIT ? OFFSET ?`, limit || -1, skip);
  return concat(
    'WITH found AS (',
    foundRows(query, paths),
    '), grouped AS MATERIALIZED (SELECT value, count(*) AS count, total(amount) AS sum FROM found ',
    'WHERE value IS NOT NULL GROUP BY value) ',
    'SELECT total, value, count, sum FROM (SELECT count(*) AS total FROM grouped) ',
    'LEFT JOIN (SELECT * FROM grouped ',
    ends,
    `) ORDER BY ${by}, value`,
  );
}

/**
 * The statement that counts the documents that match, and sums the number that they have at a path; one row.
 *
 * @param query one that returns the path, so that an index that holds it is taken
 */
export function totalsStatement(query: Query, sum: string): Sql {
  const { indexOnly, narrowest = indexOnly } = query.accesses;
  // Of all documents SQLite reads the smallest index that holds the number.
  const isNarrowed = narrowest !== undefined && narrows(narrowest);
  const accesses = { ...query.accesses, narrowest: isNarrowed ? (indexOnly ?? narrowest) : undefined };
  const found = foundRows({ ...query, accesses }, { by: sum, sum });
  return concat('SELECT count(*), total(amount) FROM (', found, ')');
}

/** The values and amounts of the documents that match, from the index alone where it holds both. */
function foundRows({ layout, conditions, accesses }: Query, { by, sum }: Pick<Grouping, 'by' | 'sum'>): Sql {
  const yields = [`${valueAt(layout, by)} AS value`, `${valueAt(layout, sum)} AS amount`];
  const { narrowest: access } = accesses;
  const isOneRange = access?.index.array === undefined && !access?.exploded;
  const isEmpty = access?.equalities.some(({ test }) => test.values.length === 0 && !test.orNull);
  if (!access || !isOneRange || isEmpty) {
    return concat(
      `SELECT ${yields.join(', ')} FROM ${layout.table} WHERE `,
      predicate(layout, conditions, { many: true }),
    );
  }
  const { residual } = access;
  const filter = residual.length > 0 ? predicate(layout, residual, { many: true }) : undefined;
  return walk(access, [], { limit: -1, skip: 0 }, filter, yields);
}
