import type { Doc } from '../port/declaration.ts';
import type { StoredDocument } from '../port/snapshot.ts';
import type { MongoStore } from './open.ts';
import { translateError } from './translate/translate-error.ts';

/** The documents of one write; and about how many characters of them, because the server refuses larger messages. */
const BATCH = 1_000;
const BATCH_LENGTH = 8 * 1024 * 1024;

/**
 * Writes documents into collections without declarations, as another engine or a backup has them; the start of the server
 * builds the indexes.
 *
 * @returns how many it has written
 * @throws Conflict when a document of an id exists
 */
export async function loadDocuments(
  { database }: Pick<MongoStore, 'database'>,
  documents: AsyncIterable<StoredDocument>,
): Promise<number> {
  let target = '';
  let batch: Doc[] = [];
  let length = 0;
  let loaded = 0;
  const flush = async () => {
    if (batch.length > 0) await database.collection<Doc>(target).insertMany(batch, { ordered: false });
    loaded += batch.length;
    batch = [];
    length = 0;
  };
  try {
    for await (const { collection, document } of documents) {
      if (collection !== target || batch.length === BATCH || length >= BATCH_LENGTH) await flush();
      target = collection;
      batch.push(document);
      length += JSON.stringify(document).length;
    }
    await flush();
  } catch (error) {
    throw translateError(error);
  }
  return loaded;
}
