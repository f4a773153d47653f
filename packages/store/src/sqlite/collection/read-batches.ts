import type { FindCursor } from '../../port/collection.ts';
import { loadAll } from '../execute/load.ts';
import { locate, locateLong } from '../execute/locate.ts';
import type { Query } from '../plan/query.ts';
import type { Engine } from './engine.ts';
import { projectedFields } from './json.ts';
import { translatingErrors } from './translate-error.ts';

/** Documents that are loaded before the event loop continues: less than 1 ms. */
const READ_BATCH = 128;

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A cursor over the documents that match a query. */
export function findCursor<T>(engine: Engine, query: Query, projection?: object): FindCursor<T> {
  const batches = () => readBatches<T>(engine, query, projection);
  const guard = <R>(work: () => Promise<R>) => translatingErrors(query.layout, work);
  return {
    toArray: () =>
      guard(async () => {
        const documents: T[] = [];
        for await (const batch of batches()) documents.push(...batch);
        return documents;
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
 * The documents that match a query, in order, with the fields of a projection. A later batch leaves out documents that
 * no longer match when it is read.
 */
export async function* readBatches<T>(
  { connection, reader, views }: Engine,
  query: Query,
  projection?: object,
): AsyncGenerator<T[], undefined> {
  const fields = projectedFields(projection);
  const here = locate(connection, query, views(query.layout.name));
  const rows = here ?? (await locateLong(reader, query));
  for (let start = 0; start < rows.length; start += READ_BATCH) {
    if (start > 0) await yieldToEventLoop();
    const batch = rows.slice(start, start + READ_BATCH);
    // The first batch was located in this turn of the event loop, so that its documents match.
    const verify = here && start === 0 ? undefined : query;
    yield loadAll(connection, query.layout, batch, { query: verify, ...(fields && { fields }) }) as T[];
  }
}
