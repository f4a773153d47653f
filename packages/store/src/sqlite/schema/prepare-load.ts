import type { Connection } from '../engine/connection.ts';
import { sql } from '../engine/sql.ts';
import { type Layout, loadingPart } from '../layout/layout.ts';
import { type BuildProgress, ensureSchema, isComplete } from './ensure-schema.ts';

/** The most documents of a collection whose structures are built again after a load: that takes less than a second. */
const MAX_REBUILT_DOCUMENTS = 10_000;

/**
 * Brings the file to the part of a layout that loads need, and drops the rest, if the collection has few documents or an
 * interrupted load has left the rest incomplete; otherwise to the whole layout. `ensureSchema` builds the rest afterwards
 * from all documents at once, which costs a fraction of adding them one by one.
 *
 * @returns the layout with which documents are loaded
 */
export function prepareLoad(
  connection: Connection,
  layout: Layout,
  onBuild?: (progress: BuildProgress) => void,
): Layout {
  const present = isComplete(connection, layout);
  const part =
    layout.whileLoading && (!present || isSmall(connection, layout)) ? loadingPart(layout) : layout;
  ensureSchema(connection, part, onBuild);
  return part;
}

function isSmall(connection: Connection, { table }: Layout): boolean {
  return !connection.get(sql(`SELECT 1 FROM ${table} LIMIT 1 OFFSET ?`, MAX_REBUILT_DOCUMENTS));
}
