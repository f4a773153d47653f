import { type CollectionDeclaration, type Doc, NOT_FLUSHED, type Store } from '@steward/store';

/** The number of documents in one write. */
const BATCH = 1_000;

/**
 * Writes documents straight into a new store. It makes no indexes, which is faster afterwards: the process that opens the
 * collection next has them made.
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
