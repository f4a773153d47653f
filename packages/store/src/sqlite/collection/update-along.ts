import type { UpdateById } from '../../port/collection.ts';
import type { Doc } from '../../port/declaration.ts';
import type { Update } from '../../port/update.ts';
import type { Connection } from '../engine/connection.ts';
import type { RecentDocuments } from '../engine/recent-documents.ts';
import { sql } from '../engine/sql.ts';
import { locatePoint } from '../execute/locate.ts';
import type { Query } from '../plan/query.ts';
import type { TableWriter } from './table-writer.ts';

/**
 * Updates the document that a query finds by its id, inside an open transaction.
 *
 * @returns a function that undoes it, inside the same transaction
 */
export function updateAlong<T extends Doc>(
  {
    connection,
    recent,
    table,
  }: {
    readonly connection: Connection;
    readonly recent: RecentDocuments;
    readonly table: TableWriter<T>;
  },
  query: Query,
  { filter, update, upsert = false }: UpdateById<T>,
): () => void {
  const found = locatePoint(connection, recent, query);
  const change = table.updateOrUpsert(found, filter, update, { upsert });
  if (!change || change.before === change.after) return () => {};
  const { before, after } = change;
  return () => {
    if (found && before !== undefined) {
      table.update({ n: found.n, document: after }, restoring<T>(before, after));
      return;
    }
    const { _id } = JSON.parse(after);
    const inserted = connection.get(sql(`SELECT n FROM ${query.layout.table} WHERE id = ?`, _id));
    table.delete(Number(inserted?.[0]));
  };
}

/** The update that makes a document what it was before another one. */
function restoring<T extends Doc>(before: string, after: string): Update<T> {
  const { _id, ...fields } = JSON.parse(before);
  const added = Object.keys(JSON.parse(after)).filter((key) => key !== '_id' && !(key in fields));
  return { $set: fields, $unset: Object.fromEntries(added.map((key) => [key, true])) } as Update<T>;
}
