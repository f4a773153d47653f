import { join } from 'node:path';
import type { Config } from '@steward/config';
import type { Random } from '@steward/kernel';
import { isMongoStore, type Store } from '@steward/store';
import type { BlobStore } from './blob-store.ts';
import { diskBlobs } from './disk.ts';
import { gridFsBlobs } from './gridfs.ts';
import { withSecond } from './with-second.ts';

/** The folder of media, in the data directory. */
const DIRECTORY = 'media';

/** One of the places of media in the settings. */
type Place = Pick<Config['media'], 'store' | 's3'> & { readonly bucketSetting?: string };

/**
 * Opens the storage for the bytes of media that the settings name; with a second store, both as one.
 *
 * @param store the store of the documents; `undefined` where only their file is read
 * @throws Error in one line when it cannot be opened
 */
export async function openBlobs(
  config: Config,
  store: Store | undefined,
  random: Random,
): Promise<BlobStore> {
  const { second_store, second_s3 } = config.media;
  const first = await openPlace(config.media, config, store, random);
  if (second_store === undefined) return first;
  const place = { store: second_store, s3: second_s3, bucketSetting: 'STEWARD_SECOND_S3_BUCKET' };
  try {
    return withSecond(first, await openPlace(place, config, store, random));
  } catch (error) {
    await first.close();
    throw error;
  }
}

async function openPlace(
  place: Place,
  { server }: Config,
  store: Store | undefined,
  random: Random,
): Promise<BlobStore> {
  if (place.store === 'file') return diskBlobs(join(server.data, DIRECTORY), random);
  if (place.store === 's3') {
    // Loaded where it is used, because it is larger than the rest of the service.
    const { s3Blobs } = await import('./s3.ts');
    return s3Blobs(place, random);
  }
  if (!store || !isMongoStore(store)) {
    throw new Error(
      'Media can be kept in gridfs only where documents are kept in a MongoDB server: set STEWARD_MEDIA_STORE to file.',
    );
  }
  return gridFsBlobs(store);
}
