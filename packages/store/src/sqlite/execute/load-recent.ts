import type { Connection } from '../engine/connection.ts';
import { project } from '../engine/project.ts';
import type { RecentDocuments } from '../engine/recent-documents.ts';
import type { Query } from '../plan/query.ts';
import { load, loadAll } from './load.ts';

/** The projected documents of the rows that a query has just found, in their order, from the cache where it has them. */
export function loadRecent(
  connection: Connection,
  recent: RecentDocuments,
  { layout, fields }: Pick<Query, 'layout' | 'fields'>,
  rows: readonly number[],
): unknown[] {
  const missing: number[] = [];
  const documents = rows.map((n) => {
    const known = recent.projected(n, fields) ?? (recent.isListedAgain(n) ? read(n) : undefined);
    if (known === undefined) missing.push(n);
    return known;
  });
  if (missing.length === 0) return documents;
  const loaded = loadAll(connection, layout, missing, { fields });
  if (missing.length === rows.length) return loaded;
  let next = 0;
  return documents.map((document) => document ?? loaded[next++]);

  function read(n: number) {
    const text = load(connection, layout, n);
    return text === undefined ? undefined : project(recent.keep(n, text), fields);
  }
}
