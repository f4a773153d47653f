import { concat, jsonPath, literal, type Sql, sql } from '../engine/sql.ts';
import type { Layout } from '../layout/layout.ts';
import type { Query } from '../plan/query.ts';
import type { FieldChanges } from './field-changes.ts';
import { predicate } from './predicate.ts';

/** The statement that reads the document of a row; with a query, only if it matches. */
export function documentOf(layout: Layout, n: number, query?: Query): Sql {
  return concat(
    sql(`SELECT json(doc) FROM ${layout.table} WHERE n = ?`, n),
    query ? concat(' AND ', verified(query)) : '',
  );
}

/** The statement that finds the rows of the documents with some ids. */
export const rowsOfIds = ({ table }: Layout, ids: readonly string[]): Sql =>
  sql(`SELECT n FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`, JSON.stringify(ids));

/** Which documents a statement reads, and what of them. */
export interface Reading {
  /** Leaves out documents that do not match. */
  readonly query?: Query | undefined;
  /** The top-level fields to read; all unless given. */
  readonly fields?: readonly string[] | undefined;
}

/**
 * The statement that reads the documents of rows, in their order, as one JSON array: one text is parsed much faster
 * than one for each document.
 */
export function documentsOf(layout: Layout, rows: readonly number[], { query, fields }: Reading): Sql {
  return concat(
    `SELECT '[' || ifnull(group_concat(${fields ? objectOf(fields) : 'json(doc)'}, ','), '') || ']' FROM `,
    // The listed rows are the outer loop of a CROSS JOIN, and so come in their order.
    inOrder(layout, rows),
    query ? concat(' WHERE ', verified(query)) : '',
  );
}

/** The statement that deletes rows; with a query, those of them that match. */
export const deletion = ({ table }: Layout, rows: readonly number[], query?: Query): Sql =>
  concat(`DELETE FROM ${table}`, amongRows(rows, query));

/** The statement that makes changes of rows, and returns the rows; with a query, of those of them that match. */
export const updateOf = (
  { table }: Layout,
  rows: readonly number[],
  { assignments, guard }: FieldChanges,
  query?: Query,
): Sql =>
  concat(
    `UPDATE ${table}`,
    amongRows(rows, query, concat(' SET ', assignments)),
    ' AND ',
    guard,
    ' RETURNING n',
  );

/** The statement that reads rows with their columns; with a query, those of them that match. */
export const columnsOf = ({ table, columns }: Layout, rows: readonly number[], query?: Query): Sql =>
  concat(`SELECT n, ${[...columns.values()].join(', ')} FROM ${table}`, amongRows(rows, query));

/**
 * The end of a statement about rows; with a query, about those of them that match.
 *
 * @param before the conditions
 */
function amongRows(rows: readonly number[], query: Query | undefined, before: Sql | string = ''): Sql {
  const [only] = rows;
  if (only !== undefined && rows.length === 1 && !query) return concat(before, sql(' WHERE n = ?', only));
  return concat(
    // Keeps the planner from taking an index over the rows.
    ' NOT INDEXED',
    before,
    sql(' WHERE n IN (SELECT value FROM json_each(?))', JSON.stringify(rows)),
    query ? concat(' AND ', verified(query)) : '',
  );
}

/** The conditions of the queries that are in use: an update of many documents tests each row. */
const conditionsOf = new WeakMap<Query, Sql>();

/** The condition that a row matches a query. */
export function verified(query: Query): Sql {
  let condition = conditionsOf.get(query);
  if (!condition) {
    condition = predicate(query.layout, query.conditions, { many: false });
    conditionsOf.set(query, condition);
  }
  return condition;
}

/** Rows beside their `position` in a list. */
export function inOrder(layout: Layout, rows: readonly number[]): Sql {
  const listed = sql('(SELECT key AS position, value AS listed FROM json_each(?))', JSON.stringify(rows));
  return concat(listed, ` CROSS JOIN ${layout.table} ON n = listed`);
}

/** The text of a document reduced to some top-level fields, so that the others are neither written nor parsed. */
function objectOf(fields: readonly string[]): string {
  const members = fields.map(
    (field) => `ifnull(${literal(`,${JSON.stringify(field)}:`)} || (doc -> ${jsonPath([field])}), '')`,
  );
  return `'{' || substr(${members.join(' || ')}, 2) || '}'`;
}
