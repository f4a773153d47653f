import { documentOf, documentsOf, type Reading } from '../compile/documents.ts';
import type { Connection } from '../engine/connection.ts';
import type { Layout } from '../layout/layout.ts';
import type { Query } from '../plan/query.ts';

/** A row with its document. */
export interface Found {
  readonly n: number;
  /** JSON. */
  readonly document: string;
}

/** The text of a row's document, if the row exists; with a query, only if it matches. */
export function load(connection: Connection, layout: Layout, n: number, query?: Query): string | undefined {
  const row = connection.get(documentOf(layout, n, query));
  return row && String(row[0]);
}

/** The documents of rows, in their order, without those that no longer exist, or with a query no longer match. */
export function loadAll(
  connection: Connection,
  layout: Layout,
  rows: readonly number[],
  reading: Reading = {},
): unknown[] {
  return JSON.parse(String(connection.get(documentsOf(layout, rows, reading))?.[0]));
}
