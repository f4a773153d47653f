import { derivedKey } from './blobs/blob-key.ts';
import type { Deps } from './deps.ts';
import type { Media } from './model/media.ts';
import { nameOfSize, SIZES } from './thumbnails/sizes.ts';

/**
 * Removes the bytes of a medium and of all its thumbnails, also of one that was created concurrently. Missing bytes
 * are not an error. The document must already be `deleting`, so that no further thumbnails are created.
 *
 * @throws the store's error when some could not be removed
 */
export async function removeBlobs(
  { blobs }: Pick<Deps, 'blobs'>,
  { blob }: Pick<Media, 'blob'>,
): Promise<void> {
  if (blob === null) return;
  for (const size of SIZES) await blobs.delete(derivedKey(blob, nameOfSize(size)));
  await blobs.delete(blob);
}
