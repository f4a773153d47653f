import type { StreamCopy } from '@steward/events';
import { RESTORE_MARKER } from '@steward/runtime';
import { type MongoStore, storedCollections } from '@steward/store';

/**
 * Fills an empty database, and the streams of its server, with what another one has. A marker in the database keeps
 * processes from starting on it until it is complete; what an interrupted attempt left behind its marker is removed.
 *
 * @throws Error with a message of one line when the database or the streams are not empty
 */
export async function fillDatabase(
  { store: { database }, streams }: { readonly store: MongoStore; readonly streams: StreamCopy },
  fill: () => Promise<void>,
): Promise<void> {
  const marker = database.collection<{ _id: string }>(RESTORE_MARKER);
  const collections = await storedCollections(database);
  if (await marker.findOne({})) {
    for (const name of collections) if (name !== RESTORE_MARKER) await database.dropCollection(name);
    await streams.remove();
  } else {
    if (collections.length > 0) throw new Error(`The database ${database.databaseName} is not empty.`);
    if (!(await streams.isEmpty())) {
      throw new Error(
        'The broker has facts of another server: set another bus.namespace, or remove its streams.',
      );
    }
    await marker.insertOne({ _id: 'unfinished' });
  }
  await fill();
  await marker.drop();
}
