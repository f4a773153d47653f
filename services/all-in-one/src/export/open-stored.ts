import { join } from 'node:path';
import { type Config, usesEmbeddedStore } from '@steward/config';
import { closeAll, type Random } from '@steward/kernel';
import { type BlobStore, openBlobs } from '@steward/media';
import { databaseAccess, refuseUnfinished, STORE_FILE } from '@steward/runtime';
import {
  type Doc,
  openMongoSnapshot,
  openMongoStore,
  openSortedDocuments,
  openSqliteSnapshot,
  type SortedDocuments,
  spoolDocuments,
} from '@steward/store';
import { counted, noProgress, type Progress } from '../command/progress.ts';

/** What a server stores: its documents at one moment, and the bytes of media. */
export interface Stored {
  readonly documents: SortedDocuments;
  /** A document as it is now. */
  current(collection: string, id: string): Promise<Doc | undefined>;
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

/**
 * Opens what the server of the settings stores, while it may be running. Documents of a database are first written to a
 * file, because they are needed in orders that only a file at hand has in bounded memory.
 *
 * @param spool the path of that file, which does not exist
 * @throws Error with a message of one line when the engine cannot be used, or a restore has not been completed
 */
export async function openStored(
  config: Config,
  random: Random,
  spool: string,
  progress: Progress = noProgress,
): Promise<Stored> {
  const opened: (() => unknown)[] = [];
  const close = () => closeAll(opened.splice(0).reverse());
  try {
    if (usesEmbeddedStore(config)) {
      const file = join(config.server.data, STORE_FILE);
      const documents = openSortedDocuments(file);
      opened.push(() => documents.close());
      const now = openSqliteSnapshot(file);
      opened.push(() => now.close());
      const blobs = await openBlobs(config, undefined, random);
      opened.push(() => blobs.close());
      return { documents, current: (collection, id) => now.current(collection, id), blobs, close };
    }
    const access = databaseAccess(config);
    const store = await openMongoStore(access);
    opened.push(() => store.close());
    await refuseUnfinished(store, access.url);
    const blobs = await openBlobs(config, store, random);
    opened.push(() => blobs.close());
    const snapshot = await openMongoSnapshot(access);
    opened.push(() => snapshot.close());
    await progress('documents', (step) => spoolDocuments(counted(snapshot.documents(), step), spool));
    const documents = openSortedDocuments(spool);
    opened.push(() => documents.close());
    return { documents, current: (collection, id) => snapshot.current(collection, id), blobs, close };
  } catch (error) {
    await close();
    throw error;
  }
}
