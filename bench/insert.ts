import { type CollectionDeclaration, type Doc, NOT_FLUSHED, type Store } from '@steward/store';

/** The number of documents in one write. */
const BATCH = 1_000;

/**
 * Writes documents directly into a new store, without indexes. The next opening of the collection creates the
 * indexes, which is faster after the insertion.
 */
export async function insertBare<T extends Doc>(
  store: Store,
  { name, shardKey }: CollectionDeclaration<T>,
  documents: Iterable<T>,
): Promise<void> {
  const collection = await store.collection<T>({ name, shardKey, indexes: [] });
  let batch: T[] = [];
  for (const document of documents) {
    batch.push(document);
    if (batch.length < BATCH) continue;
    await collection.insertMany(batch, NOT_FLUSHED);
    batch = [];
  }
  if (batch.length > 0) await collection.insertMany(batch);
}
