import { documentOf, documentsOf, type Reading } from '../compile/documents.ts';
import type { Connection } from '../engine/connection.ts';
import { project } from '../engine/project.ts';
import type { Layout } from '../layout/layout.ts';
import type { Query } from '../plan/query.ts';

/** The most fields that SQLite takes out of a document; it is faster to parse the whole text than to search it for more. */
const MAX_EXTRACTED_FIELDS = 4;

/** A row with its document. */
export interface Found {
  readonly n: number;
  /** JSON. */
  readonly document: string;
  /** The same, parsed, if that was necessary; the caller may change it. */
  readonly parsed?: object;
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
  { query, fields }: Reading = {},
): unknown[] {
  const isExtracted = fields !== undefined && fields.length <= MAX_EXTRACTED_FIELDS;
  const reading = { query, fields: isExtracted ? fields : undefined };
  const documents = JSON.parse(String(connection.get(documentsOf(layout, rows, reading))?.[0]));
  return isExtracted ? documents : documents.map((document: object) => project(document, fields));
}
