import { type Collection, type Db, type Document, Long } from 'mongodb';
import { isTransient } from '../translate/translate-error.ts';
import type { Stored } from './engine.ts';

/** The reply to a command that opens a cursor. */
interface CursorReply<T> {
  readonly cursor: { readonly id: number | Long; readonly firstBatch: T[] };
}

/** What a find reads, in the server's form. */
export interface Find {
  readonly filter: Document;
  readonly projection?: Document;
  readonly sort?: Document;
  readonly skip: number;
  /** 0 for no limit. */
  readonly limit: number;
  /** How long the server may work on it, in milliseconds; no limit if absent. */
  readonly maxTimeMS?: number;
}

/**
 * Finds documents with one command, without a cursor of the driver, which would parse each document twice: that takes twice
 * the time for one document, and six times for 1,000 small ones.
 *
 * @param most the most documents to read at once
 * @returns `undefined` for more documents, also than one answer of the server holds; nothing is left open on the server
 */
export async function runFind<T>(
  database: Db,
  collection: Collection<Stored>,
  { limit, ...find }: Find,
  most: number,
): Promise<T[] | undefined> {
  if (limit > most) return undefined;
  return runRead<T>(database, collection, {
    find: collection.collectionName,
    ...find,
    limit,
    // With a size that the limit reaches, the server would keep a cursor.
    batchSize: (limit || most) + 1,
  });
}

/** Aggregates documents with one command, as `runFind` finds them. */
export function runAggregate<T>(
  database: Db,
  collection: Collection<Stored>,
  aggregation: { readonly pipeline: readonly Document[]; readonly maxTimeMS: number },
  most: number,
): Promise<T[] | undefined> {
  const cursor = { batchSize: most + 1 };
  return runRead<T>(database, collection, { aggregate: collection.collectionName, ...aggregation, cursor });
}

/** Counts the documents that match a filter in the server's form, with one command. */
export async function runCount(
  database: Db,
  collection: Collection<Stored>,
  filter: Document,
  maxTimeMS: number,
): Promise<number> {
  const pipeline = [{ $match: filter }, { $group: { _id: 1, n: { $sum: 1 } } }];
  const counted = await runAggregate<{ readonly n: number }>(
    database,
    collection,
    { pipeline, maxTimeMS },
    1,
  );
  return counted?.[0]?.n ?? 0;
}

/**
 * Runs a command that opens a cursor; once more if it failed as an operation that the driver repeats does. Returns
 * `undefined`, and closes the cursor, if there is more than the first answer has.
 */
async function runRead<T>(
  database: Db,
  { collectionName, readConcern }: Collection<Stored>,
  command: Document,
): Promise<T[] | undefined> {
  // A URL may state a read concern.
  const read = { ...command, ...(readConcern ? { readConcern } : {}) };
  const run = () => database.command(read, { ignoreUndefined: true }) as Promise<CursorReply<T>>;
  const { cursor } = await run().catch((error) => {
    if (isTransient(error)) return run();
    throw error;
  });
  const left = Long.fromValue(cursor.id);
  if (left.isZero()) return cursor.firstBatch;
  // FerretDB keeps a connection to PostgreSQL for a cursor. If this fails, the server closes it later.
  await database.command({ killCursors: collectionName, cursors: [left] }).catch(() => undefined);
  return undefined;
}
