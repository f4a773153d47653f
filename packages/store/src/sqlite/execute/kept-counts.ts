import { testScalar } from '../compile/predicate.ts';
import type { Connection } from '../engine/connection.ts';
import { concat, type Sql, sql } from '../engine/sql.ts';
import type { Condition } from '../plan/condition.ts';
import { partOf, type Query, sharedOf, withConditions } from '../plan/query.ts';
import { selectNumber, spanOf } from './run.ts';

/** The number of documents per value of a tally; values without documents are left out. */
export function readTally(connection: Connection, table: string): ReadonlyMap<string, number> {
  const counts = connection.all(sql(`SELECT value, total FROM ${table} WHERE total > 0`));
  // SQLite stores booleans as numbers.
  const nameOf = (value: unknown) => (typeof value === 'string' ? value : String(value === 1));
  return new Map(counts.map(([value, total]) => [nameOf(value), Number(total)]));
}

/** The count that the tally keeps, for a filter that tests the path of the tally and nothing else. */
export function countByTally(
  connection: Connection,
  { layout, conditions }: Pick<Query, 'layout' | 'conditions'>,
): number | undefined {
  const [condition] = conditions;
  if (!layout.tally || conditions.length !== 1 || condition?.kind !== 'test') return undefined;
  const { path, test } = condition;
  if (path !== layout.tally.path || test.op !== 'in' || test.orNull) return undefined;
  const values = JSON.stringify(test.values);
  return selectNumber(
    connection,
    sql(
      `SELECT total(total) FROM ${layout.tally.table} WHERE value IN (SELECT value FROM json_each(?))`,
      values,
    ),
  );
}

/** The sum of the counts that are kept for distinct values, for a filter that searches in them and tests the tally at most. */
export function countByValues(connection: Connection, query: Query): number | undefined {
  const part = partOf(query);
  const [search, ...others] = query.conditions.filter((condition) => condition !== part);
  const found = search && others.length === 0 ? valuesFound(connection, query, search) : undefined;
  return found && selectNumber(connection, concat('SELECT total(total) ', found));
}

/**
 * The same query, with what the distinct values tell of its searches: a search that finds few values becomes a test for
 * them, which an index can find, and one that finds all documents goes.
 */
export function withValues(connection: Connection, query: Query): Query {
  const { layout, limits } = query;
  const part = partOf(query);
  const all = part && countByTally(connection, { layout, conditions: [part] });
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
    return selectNumber(connection, concat('SELECT total(total) ', found)) === all ? [] : [condition];
  });
  return withConditions(query, conditions);
}

/** The distinct values that a search finds, as far as the tally separates the documents of the query from others. */
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
