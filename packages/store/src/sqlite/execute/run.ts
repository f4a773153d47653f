import type { Connection } from '../engine/connection.ts';
import { type Sql, sql } from '../engine/sql.ts';

/** The first column of all rows of a statement, as numbers. */
export function selectColumn(connection: Connection, statement: Sql): readonly number[] {
  return connection.all(statement).map(([n]) => Number(n));
}

/** The one number that a statement yields. */
export function selectNumber(connection: Connection, statement: Sql): number {
  return Number(connection.get(statement)?.[0]);
}

/** An upper bound of the number of rows of a table, which takes no time to find. */
export function spanOf(connection: Connection, table: string): number {
  return selectNumber(
    connection,
    sql(`SELECT ifnull((SELECT max(n) FROM ${table}) - (SELECT min(n) FROM ${table}), 0)`),
  );
}
