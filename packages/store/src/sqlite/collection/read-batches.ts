import type { FindCursor } from '../../port/collection.ts';
import { loadAll } from '../execute/load.ts';
import { loadRecent } from '../execute/load-recent.ts';
import { locate, locateLong } from '../execute/locate.ts';
import { readIndex } from '../execute/read-index.ts';
import type { Query } from '../plan/query.ts';
import type { Engine } from './engine.ts';
import { translatingErrors } from './translate-error.ts';

/** Documents that are loaded before the event loop continues: less than 1 ms. */
const READ_BATCH = 128;

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A cursor over the documents that match a query. */
export function findCursor<T>(engine: Engine, query: Query): FindCursor<T> {
  const batches = () => readBatches<T>(engine, query);
  const guard = <R>(work: () => Promise<R>) => translatingErrors(query.layout, work);
  return {
    toArray: () =>
      guard(async () => {
        let documents: T[] | undefined;
        for await (const batch of batches()) {
          if (documents) documents.push(...batch);
          else documents = batch;
        }
        return documents ?? [];
      }),
    async *[Symbol.asyncIterator]() {
      const iterator = batches();
      for (;;) {
        const { done, value } = await guard(() => iterator.next());
        if (done) return;
        yield* value;
      }
    },
  };
}

/**
 * The documents that match a query, in order, with the fields of its projection. A later batch leaves out documents that
 * no longer match when it is read.
 */
export async function* readBatches<T>(engine: Engine, query: Query): AsyncGenerator<T[], undefined> {
  const { connection, reader } = engine;
  const { layout, fields } = query;
  const fromIndex = readIndex(connection, query);
  if (fromIndex) return void (yield fromIndex as T[]);
  const views = engine.views(layout.name);
  const here = locate(connection, query, views);
  const rows = here ?? (await views.resultsLong(query, (more) => locateLong(reader, more)));
  for (let start = 0; start < rows.length; start += READ_BATCH) {
    if (start > 0) await yieldToEventLoop();
    const batch = rows.slice(start, start + READ_BATCH);
    // The first batch was located in this turn of the event loop, so that its documents match.
    const documents =
      here && start === 0
        ? loadRecent(connection, engine.recent(layout.name), query, batch)
        : loadAll(connection, layout, batch, { query, fields });
    yield documents as T[];
  }
}
