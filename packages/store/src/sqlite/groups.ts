import type { Group, Groups } from '../collection.ts';
import { walk } from './access.ts';
import { valueAt } from './layout.ts';
import { predicate } from './predicate.ts';
import type { Query } from './query.ts';
import type { Reader } from './reader.ts';
import { concat, type Sql, sql } from './sql.ts';

/** Which groups are wanted. */
export interface Grouping {
  /** The paths of the values and of what is summed. */
  readonly by: string;
  readonly sum: string;
  readonly order: keyof Group;
  readonly direction: 1 | -1;
  readonly skip: number;
  /** 0 for no limit. */
  readonly limit: number;
}

/** Groups the documents that answer a query, in the reader's thread. */
export async function groupsOf(reader: Reader, query: Query, grouping: Grouping): Promise<Groups> {
  const rows = await reader.all(groupStatement(query, grouping));
  const groups = rows.flatMap(([, value, count, sum]) =>
    // Where no group is on the page, its total comes alone.
    value === null ? [] : [{ value: String(value), count: Number(count), sum: Number(sum) }],
  );
  return { groups, total: Number(rows[0]?.[0]) };
}

function groupStatement(query: Query, { order, direction, skip, limit, ...paths }: Grouping): Sql {
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

/** The values and amounts of what answers a query, from the index alone where it has both. */
function foundRows({ layout, conditions, accesses }: Query, { by, sum }: Pick<Grouping, 'by' | 'sum'>): Sql {
  const yields = `${valueAt(layout, by)} AS value, ${valueAt(layout, sum)} AS amount`;
  const { narrowest: access } = accesses;
  const isOneRange = access?.index.array === undefined && !access?.exploded;
  const isEmpty = access?.equalities.some(({ test }) => test.values.length === 0 && !test.orNull);
  if (!access || !isOneRange || isEmpty) {
    return concat(
      `SELECT ${yields} FROM ${layout.table} WHERE `,
      predicate(layout, conditions, { many: true }),
    );
  }
  const { residual } = access;
  const filter = residual.length > 0 ? predicate(layout, residual, { many: true }) : undefined;
  return walk(access, [], { limit: -1, skip: 0 }, filter, yields);
}
