import type { Db } from 'mongodb';

/** The names that collections are declared with; those of the server, and of files in GridFS, have other forms. */
const DECLARED = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

/** The collections of documents in a database, in ascending order. */
export async function storedCollections(database: Db): Promise<readonly string[]> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => DECLARED.test(name) && !name.startsWith('system.'))
    .sort();
}
