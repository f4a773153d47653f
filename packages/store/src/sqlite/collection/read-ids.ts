import type { FindCursor } from '../../port/collection.ts';
import { loadIds } from '../execute/load-ids.ts';
import type { Query } from '../plan/query.ts';
import type { Engine } from './engine.ts';
import { iterateBatches } from './iterate-batches.ts';
import { READ_BATCH, yieldToEventLoop } from './read-batches.ts';
import { translatingErrors } from './translate-error.ts';

/** A cursor over the documents with some ids, in the order of the ids, with the fields of a projection that has the id. */
export function idsCursor<T>(
  { connection, recent }: Engine,
  query: Pick<Query, 'layout' | 'fields'>,
  ids: readonly string[],
): FindCursor<T> {
  const { layout } = query;
  const readFrom = (start: number) =>
    translatingErrors(layout, async () => {
      const batch = ids.slice(start, start + READ_BATCH);
      return loadIds(connection, recent(layout.name), query, batch) as unknown[] as T[];
    });
  async function* batches(): AsyncGenerator<T[], undefined> {
    for (let start = 0; start < ids.length; start += READ_BATCH) {
      if (start > 0) await yieldToEventLoop();
      yield await readFrom(start);
    }
  }
  return {
    async toArray() {
      if (ids.length <= READ_BATCH) return readFrom(0);
      return (await Array.fromAsync(batches())).flat();
    },
    [Symbol.asyncIterator]: () => iterateBatches(batches()),
  };
}
