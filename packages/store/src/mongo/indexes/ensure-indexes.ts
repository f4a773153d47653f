import {
  type AnyBulkWriteOperation,
  type Collection,
  type Db,
  type Document,
  MongoServerError,
} from 'mongodb';
import type { CollectionDeclaration, Doc } from '../../port/declaration.ts';
import { BATCH } from '../client/limits.ts';
import { gramsOf, gramsPath } from '../search/grams.ts';
import { engineIndexes, gramsIndex } from './engine-indexes.ts';

/** IndexOptionsConflict, IndexKeySpecsConflict. */
const DIFFERENT_DEFINITION: ReadonlySet<unknown> = new Set([85, 86]);

/** NamespaceNotFound: the collection does not exist yet. */
const NO_COLLECTION = 26;

/**
 * Creates the missing indexes of a declaration. First fills in the grams of search fields that were declared after
 * documents were written. Drops nothing.
 *
 * @param database on a connection without a limit of silence, because building an index can take long
 * @throws Error when an index with the name of a declared one differs from it
 */
export async function ensureIndexes<T extends Doc>(
  database: Db,
  declaration: CollectionDeclaration<T>,
): Promise<void> {
  const { name, search = [] } = declaration;
  const collection = database.collection<Document & Doc>(name);
  const existing = await existingIndexes(collection);
  for (const field of search) if (!existing.has(gramsIndex(field))) await fillGrams(collection, field);
  const indexes = engineIndexes(declaration);
  if (indexes.length === 0) return;
  try {
    await collection.createIndexes(indexes);
  } catch (error) {
    if (!(error instanceof MongoServerError) || !DIFFERENT_DEFINITION.has(error.code)) throw error;
    throw new Error(`An index of ${name} exists, but differs from its declaration`, { cause: error });
  }
}

async function existingIndexes(collection: Collection<Document & Doc>): Promise<ReadonlySet<unknown>> {
  try {
    const indexes = await collection.listIndexes().toArray();
    return new Set(indexes.map(({ name }) => name));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NO_COLLECTION) return new Set();
    throw error;
  }
}

/** Repeats until no document lacks its grams, because one can change between the read and the write. */
async function fillGrams(collection: Collection<Document & Doc>, field: string): Promise<void> {
  const lacking = { [field]: { $gte: '' }, [gramsPath(field)]: { $exists: false } };
  const options = { projection: { [field]: 1 }, batchSize: BATCH };
  for (let filled = -1; filled !== 0; ) {
    filled = 0;
    let updates: AnyBulkWriteOperation<Document & Doc>[] = [];
    const flush = async () => {
      if (updates.length > 0)
        filled += (await collection.bulkWrite(updates, { ordered: false })).matchedCount;
      updates = [];
    };
    for await (const { _id, [field]: text } of collection.find(lacking, options)) {
      const update = { $set: { [gramsPath(field)]: gramsOf(text) } };
      updates.push({ updateOne: { filter: { _id, [field]: text }, update } });
      if (updates.length === BATCH) await flush();
    }
    await flush();
  }
}
