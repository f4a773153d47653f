import { type Collection, type Db, type Document, MongoServerError } from 'mongodb';
import type { CollectionDeclaration, Doc } from '../port/declaration.ts';
import { engineIndexes, gramsIndex } from './engine-indexes.ts';
import { gramsOf, gramsPath } from './grams.ts';
import { BATCH } from './limits.ts';

/** IndexOptionsConflict, IndexKeySpecsConflict. */
const DIFFERENT_DEFINITION: ReadonlySet<unknown> = new Set([85, 86]);

/** NamespaceNotFound: there is no such collection yet. */
const NO_COLLECTION = 26;

/**
 * Creates the indexes of a declaration that are missing, and fills in the grams of a search field
 * first that was declared later than its documents were written. Nothing is ever dropped.
 *
 * @param database of a connection that may be silent for as long as an index takes to build
 * @throws Error when an index exists by the name of a declared one, but differs from it
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

/** Until nothing is left: a document may have changed between being read and being written. */
async function fillGrams(collection: Collection<Document & Doc>, field: string): Promise<void> {
  const lacking = { [field]: { $gte: '' }, [gramsPath(field)]: { $exists: false } };
  const options = { projection: { [field]: 1 }, batchSize: BATCH };
  for (let filled = -1; filled !== 0; ) {
    filled = 0;
    for await (const { _id, [field]: text } of collection.find(lacking, options)) {
      const update = { $set: { [gramsPath(field)]: gramsOf(text) } };
      filled += (await collection.updateOne({ _id, [field]: text }, update)).matchedCount;
    }
  }
}
