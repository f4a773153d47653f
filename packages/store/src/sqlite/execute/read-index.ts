import { FROM_DOCUMENT, fieldsInIndex } from '../compile/index-only.ts';
import type { Connection } from '../engine/connection.ts';
import type { Result } from '../engine/recent-results.ts';
import { maxEntries, type Query } from '../plan/query.ts';
import { hasFew } from './locate.ts';

type Fields = Record<string, unknown>;

/**
 * The projected fields of the documents that match a query, in order, where an index alone has them and a few milliseconds
 * are enough; else `undefined`. They are frozen.
 */
export function readIndex(connection: Connection, query: Query): Result<Fields> | undefined {
  const { accesses, fields, limits, skip, limit } = query;
  const access = accesses.indexOnly;
  if (!access || !fields || skip > limits.skipFromStart) return undefined;
  if (access.residual.length > 0 && !hasFew(connection, access, limits.tested)) return undefined;
  const most = Math.min(maxEntries(query, access) - skip, limits.results);
  if (limit > most) return undefined;
  const cut = { limit: limit || most + 1, skip };
  const columns = connection.get(fieldsInIndex(query, access, fields, cut)) ?? [];
  const length = columns.reduce<number>((sum, texts) => sum + String(texts).length, 0);
  const values = columns.map((texts): unknown[] => JSON.parse(String(texts)));
  const count = values[0]?.length ?? 0;
  if (limit === 0 && count > most) return undefined;
  const found: Fields[] = [];
  for (let i = 0; i < count; i++) {
    const document: Fields = {};
    for (let f = 0; f < fields.length; f++) put(document, fields[f] ?? '', values[f]?.[i]);
    found.push(Object.freeze(document));
  }
  return { values: found, length };
}

function put(document: Fields, field: string, value: unknown): void {
  if (field === '_id' || typeof value !== 'string' || !value.startsWith(FROM_DOCUMENT)) {
    document[field] = value;
    return;
  }
  const read: readonly unknown[] = JSON.parse(value);
  if (read.length > 0) document[field] = read[0];
}
