import { join } from 'node:path';
import type { Config } from '@steward/config';
import type { Random } from '@steward/kernel';
import { isMongoStore, type Store } from '@steward/store';
import type { BlobStore } from './blob-store.ts';
import { diskBlobs } from './disk.ts';
import { gridFsBlobs } from './gridfs.ts';

/** The folder of media, in the data directory. */
const DIRECTORY = 'media';

/**
 * Opens the storage for the bytes of media that the settings name.
 *
 * @param store the store of the documents; `undefined` where only their file is read
 * @throws Error in one line when it cannot be opened
 */
export async function openBlobs(
  config: Config,
  store: Store | undefined,
  random: Random,
): Promise<BlobStore> {
  if (config.media.store === 'file') return diskBlobs(join(config.server.data, DIRECTORY), random);
  if (config.media.store === 's3') {
    // Loaded where it is used, because it is larger than the rest of the service.
    const { s3Blobs } = await import('./s3.ts');
    return s3Blobs(config.media, random);
  }
  if (!store || !isMongoStore(store)) {
    throw new Error(
      'Media can be kept in gridfs only where documents are kept in a MongoDB server: set STEWARD_MEDIA_STORE to file.',
    );
  }
  return gridFsBlobs(store);
}
