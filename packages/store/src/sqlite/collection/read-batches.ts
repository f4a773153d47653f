import type { FindCursor } from '../../port/collection.ts';
import { loadAll } from '../execute/load.ts';
import { loadRecent } from '../execute/load-recent.ts';
import { locateLong } from '../execute/locate.ts';
import type { Query } from '../plan/query.ts';
import { cachedFields, cachedRows } from './cached-results.ts';
import type { Engine } from './engine.ts';
import { iterateBatches } from './iterate-batches.ts';
import { translatingErrors } from './translate-error.ts';

/** Documents that are loaded before the event loop continues: less than 1 ms. */
export const READ_BATCH = 128;

/** Lets other work of the event loop run. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A cursor over the documents that match a query. */
export function findCursor<T>(engine: Engine, query: Query): FindCursor<T> {
  const guard = <R>(work: () => Promise<R>) => translatingErrors(query.layout, work);
  return {
    toArray: () =>
      guard(async () => {
        const start = readStart<T>(engine, query);
        if (start && start.rest.length === 0) return start.documents;
        const documents: T[] = [];
        for await (const batch of readBatches<T>(engine, query, start)) documents.push(...batch);
        return documents;
      }),
    [Symbol.asyncIterator]: () => iterateBatches(guardedBatches()),
  };
  async function* guardedBatches(): AsyncGenerator<T[], undefined> {
    const start = await guard(async () => readStart<T>(engine, query));
    const batches = readBatches<T>(engine, query, start);
    for (;;) {
      const { done, value } = await guard(() => batches.next());
      if (done) return;
      yield value;
    }
  }
}

/** The first documents that match a query, and the rows of the others. */
interface Start<T> {
  readonly documents: T[];
  readonly rest: readonly number[];
}

/** Reads the start of the answer of a query, if a few milliseconds are enough to find all of it; else `undefined`. */
function readStart<T>(engine: Engine, query: Query): Start<T> | undefined {
  const { connection } = engine;
  const { name } = query.layout;
  const fromIndex = cachedFields(engine, query);
  if (fromIndex) return { documents: [...fromIndex] as T[], rest: [] };
  const rows = cachedRows(engine, query);
  if (!rows) return undefined;
  // These were located in this turn of the event loop, so that they match.
  const first = rows.slice(0, READ_BATCH);
  // More documents are read by work that changes them next, rarely again by a list.
  const documents =
    rows.length > READ_BATCH
      ? loadAll(connection, query.layout, first, { fields: query.fields })
      : loadRecent(connection, engine.recent(name), query, first);
  return { documents: documents as T[], rest: rows.slice(READ_BATCH) };
}

/**
 * The documents that match a query, in order, with the fields of its projection. A later batch leaves out documents that
 * no longer match when it is read.
 */
async function* readBatches<T>(
  engine: Engine,
  query: Query,
  start: Start<T> | undefined,
): AsyncGenerator<T[], undefined> {
  const { connection, reader } = engine;
  const { layout, fields } = query;
  if (start) yield start.documents;
  const locateElsewhere = (more: Query) => locateLong(reader, more);
  const rows = start?.rest ?? (await engine.views(layout.name).resultsLong(query, locateElsewhere));
  for (let from = 0; from < rows.length; from += READ_BATCH) {
    if (start || from > 0) await yieldToEventLoop();
    const batch = rows.slice(from, from + READ_BATCH);
    yield loadAll(connection, layout, batch, { query, fields }) as T[];
  }
}
