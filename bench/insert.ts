import type { CollectionDeclaration, Doc, Store } from '@steward/store';

/** Documents that are written at once. */
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
  let some: T[] = [];
  for (const document of documents) {
    some.push(document);
    if (some.length < BATCH) continue;
    await collection.insertMany(some, { durable: false });
    some = [];
  }
  if (some.length > 0) await collection.insertMany(some);
}
