import type { CollectionDeclaration, Doc, Store } from '@steward/store';

/** Documents of one insertion. */
const BATCH = 1_000;

/**
 * Writes documents directly into a new store, without indexes, whose creation is faster afterwards: the next process
 * that opens the collection creates them.
 */
export async function insertBare<T extends Doc>(
  store: Store,
  { name, shardKey }: CollectionDeclaration<T>,
  documents: Iterable<T>,
): Promise<void> {
  const collection = await store.collection<T>({ name, shardKey, indexes: [] });
  let some: T[] = [];
  for (const document of documents) {
    some.push(document);
    if (some.length < BATCH) continue;
    await collection.insertMany(some, { durable: false });
    some = [];
  }
  if (some.length > 0) await collection.insertMany(some);
}
