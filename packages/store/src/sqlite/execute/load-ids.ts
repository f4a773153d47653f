import type { Doc } from '../../port/declaration.ts';
import { rowsOfIds } from '../compile/documents.ts';
import type { Connection } from '../engine/connection.ts';
import type { RecentDocuments } from '../engine/recent-documents.ts';
import type { Query } from '../plan/query.ts';
import { loadRecent } from './load-recent.ts';
import { selectColumn } from './run.ts';

/**
 * The documents with some ids, in the order of the ids, with the fields of a projection that has the id. No statement is run
 * for documents that are cached.
 */
export function loadIds(
  connection: Connection,
  recent: RecentDocuments,
  query: Pick<Query, 'layout' | 'fields'>,
  ids: readonly string[],
): Doc[] {
  const known = ids.map((id) => recent.projectedById(id, query.fields) as Doc | undefined);
  const missing = ids.filter((_, i) => !known[i]);
  if (missing.length === 0) return known as Doc[];
  const located = selectColumn(connection, rowsOfIds(query.layout, missing));
  const loaded = new Map<string, Doc>();
  for (const document of loadRecent(connection, recent, query, located) as Doc[])
    loaded.set(document._id, document);
  return ids.flatMap((id, i) => known[i] ?? loaded.get(id) ?? []);
}
