import DataLoader from 'dataloader';
import type { Doc } from '../../port/declaration.ts';

/** The most documents in one read. */
const MAX_BATCH = 100;

/**
 * Reads documents by id. The reads of one turn of the event loop share an operation, because the cost of an operation
 * hardly depends on its number of ids. Nothing is cached, so that a read sees every write that completed before it.
 */
export function readById<T extends Doc>(
  read: (ids: readonly string[]) => Promise<readonly T[]>,
): (id: string) => Promise<T | null> {
  const loader = new DataLoader<string, T | null>(
    async (ids) => {
      const found = new Map((await read([...new Set(ids)])).map((document) => [document._id, document]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { cache: false, maxBatchSize: MAX_BATCH, batchScheduleFn: (run) => setImmediate(run) },
  );
  return (id) => loader.load(id);
}

/** The id that a filter tests for, if it tests for nothing else. */
export function idIn(filter: object): string | undefined {
  const [[key, value] = [], ...others] = Object.entries(filter);
  return key === '_id' && typeof value === 'string' && others.length === 0 ? value : undefined;
}
