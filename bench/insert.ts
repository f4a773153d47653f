import { type CollectionDeclaration, type Doc, NOT_FLUSHED, type Store } from '@steward/store';

/** The number of documents in one write. */
const BATCH = 1_000;

/** Writes documents straight into a new store: into one that is open for loading, or as `insertBare` does. */
export async function insertAll<T extends Doc>(
  store: Store,
  declaration: CollectionDeclaration<T>,
  documents: Iterable<T>,
): Promise<void> {
  const collection = await store.collection<T>(declaration);
  let batch: T[] = [];
  for (const document of documents) {
    batch.push(document);
    if (batch.length < BATCH) continue;
    await collection.insertMany(batch, { ...NOT_FLUSHED, ordered: false });
    batch = [];
  }
  if (batch.length > 0) await collection.insertMany(batch);
}

/**
 * Writes documents straight into a new store. It makes no indexes, which is faster afterwards: the process that opens the
 * collection next has them made.
 */
export function insertBare<T extends Doc>(
  store: Store,
  { name, shardKey }: CollectionDeclaration<T>,
  documents: Iterable<T>,
): Promise<void> {
  return insertAll(store, { name, shardKey, indexes: [] }, documents);
}
