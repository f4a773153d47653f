import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { BlobMissing, type BlobStore } from '@steward/media';
import { z } from 'zod';
import type { MediaLine } from '../backup/copy-media.ts';
import { readLines } from '../backup/files.ts';
import { fileSummary } from '../backup/manifest.ts';
import { MEDIA_FILE } from '../backup/take-backup.ts';
import { counted, noProgress, type Progress, type Step } from '../command/progress.ts';
import type { FoundBackup } from './find-backup.ts';

/** The blobs that are written concurrently. */
const CONCURRENT = 16;

/** The media whose deletion is completed together. */
const DELETED_AT_ONCE = 100;

const blobLine = z.strictObject({ key: z.string(), ...fileSummary.shape });
const mediaLine = z.union([blobLine, z.strictObject({ deleted: z.string() })]) satisfies z.ZodType<MediaLine>;

/** A line about bytes. */
type BlobLine = z.infer<typeof blobLine>;

/**
 * Stores the bytes of the media of a backup, except those that the target has, and passes on the media without bytes,
 * whose deletion the server has to complete. No bytes are stored before they have been compared with their digest.
 *
 * @throws Error with a message of one line when bytes are missing or are not those that were backed up
 */
export async function restoreMedia(
  { folder, contents, manifest }: FoundBackup,
  blobs: BlobStore,
  complete: (deleted: readonly string[]) => Promise<void>,
  progress: Progress = noProgress,
): Promise<void> {
  const group: BlobLine[] = [];
  const deleted: string[] = [];
  const path = join(folder, MEDIA_FILE);
  await progress('files of media', restoreAll, manifest.media.blobs);

  async function restoreAll(step: Step): Promise<void> {
    for await (const line of counted(readLines<unknown>(path), step)) {
      const { data, error } = mediaLine.safeParse(line);
      if (error) throw new Error(`${path} is damaged: ${z.prettifyError(error).replaceAll('\n', ' ')}`);
      if ('deleted' in data) deleted.push(data.deleted);
      else group.push(data);
      if (group.length === CONCURRENT) await Promise.all(group.splice(0).map(restoreBlob));
      if (deleted.length === DELETED_AT_ONCE) await complete(deleted.splice(0));
    }
    await Promise.all(group.map(restoreBlob));
    if (deleted.length > 0) await complete(deleted);
  }

  async function restoreBlob({ key, sha256, length }: BlobLine): Promise<void> {
    if ((await contents.length(sha256)) === undefined)
      throw new Error(`The content ${sha256} of media is missing in the backup.`);
    if ((await digestOf(contents.read(sha256))) !== sha256)
      throw new Error(`The content ${sha256} of media is damaged in the backup.`);
    // An interrupted restore stored it; or it is in a bucket that the server has kept.
    if ((await storedDigest(blobs, key)) === sha256) return;
    await blobs.delete(key);
    const stored = await blobs.put(key, contents.read(sha256), length);
    if (stored.sha256 !== sha256) throw new Error(`The content ${sha256} of media was not stored as it is.`);
  }
}

/** The digest of stored bytes; `undefined` if there are none. */
async function storedDigest(blobs: BlobStore, key: string): Promise<string | undefined> {
  try {
    return await digestOf(blobs.open(key));
  } catch (error) {
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes) hash.update(piece);
  return hash.digest('hex');
}
