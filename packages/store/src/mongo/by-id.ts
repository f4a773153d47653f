import DataLoader from 'dataloader';
import type { Doc } from '../port/declaration.ts';

/** Documents that are asked for with one read at most. */
const MAX_BATCH = 100;

/**
 * Reads documents by id, all that are asked for within one turn of the event loop with one operation:
 * what a read costs over there hardly depends on how many ids it names. Nothing is remembered, so that a
 * read sees every write that was answered before it began.
 */
export function readById<T extends Doc>(
  read: (ids: readonly string[]) => Promise<readonly T[]>,
): (id: string) => Promise<T | null> {
  const loader = new DataLoader<string, T | null>(
    async (ids) => {
      const found = new Map((await read([...new Set(ids)])).map((document) => [document._id, document]));
      const given = new Set<string>();
      return ids.map((id) => {
        const document = found.get(id) ?? null;
        // Who asks for the same document gets one of their own: what one does to it is no other's.
        const own = given.has(id) ? structuredClone(document) : document;
        given.add(id);
        return own;
      });
    },
    { cache: false, maxBatchSize: MAX_BATCH, batchScheduleFn: (run) => setImmediate(run) },
  );
  return (id) => loader.load(id);
}

/** The id that a filter asks for, if it asks for nothing else. */
export function idIn(filter: object): string | undefined {
  const [[key, value] = [], ...others] = Object.entries(filter);
  return key === '_id' && typeof value === 'string' && others.length === 0 ? value : undefined;
}
