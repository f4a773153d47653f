import { join } from 'node:path';
import type { BlobStore } from '@steward/media';
import type { MediaLine } from '../backup/copy-media.ts';
import { readLines } from '../backup/files.ts';
import { MEDIA_FILE } from '../backup/take-backup.ts';
import type { FoundBackup } from './find-backup.ts';

/** The blobs that are written concurrently. */
const CONCURRENT = 16;

/** The media whose deletion is completed together. */
const DELETED_AT_ONCE = 100;

/**
 * Stores the bytes of the media of a backup, replacing what an interrupted restore has stored, and passes on the media
 * without bytes, whose deletion the server has to complete.
 *
 * @throws Error with a message of one line when bytes are missing or are not those that were backed up
 */
export async function restoreMedia(
  { folder, contents }: FoundBackup,
  blobs: BlobStore,
  complete: (deleted: readonly string[]) => Promise<void>,
): Promise<void> {
  const group: Promise<void>[] = [];
  const deleted: string[] = [];
  for await (const line of readLines<MediaLine>(join(folder, MEDIA_FILE))) {
    if ('deleted' in line) deleted.push(line.deleted);
    else group.push(restoreBlob(line));
    if (group.length === CONCURRENT) await Promise.all(group.splice(0));
    if (deleted.length === DELETED_AT_ONCE) await complete(deleted.splice(0));
  }
  await Promise.all(group);
  if (deleted.length > 0) await complete(deleted);

  async function restoreBlob({
    key,
    sha256,
    length,
  }: Exclude<MediaLine, { deleted: string }>): Promise<void> {
    if ((await contents.length(sha256)) === undefined)
      throw new Error(`The content ${sha256} of media is missing in the backup.`);
    await blobs.delete(key);
    const stored = await blobs.put(key, contents.read(sha256), length);
    if (stored.sha256 !== sha256) throw new Error(`The content ${sha256} of media is damaged in the backup.`);
  }
}
