import { pipeline } from 'node:stream/promises';
import { type MongoStore, translateError } from '@steward/store';
import { GridFSBucket, type ObjectId } from 'mongodb';
import { checkBlobKey } from './blob-key.ts';
import { BlobMissing, type BlobStore, PIECE_BYTES, type StoredBlob } from './blob-store.ts';
import { measure } from './measure.ts';

const BUCKET = 'media.blobs';

/**
 * Blobs in the MongoDB server of the documents, through the store's client, which is closed later. A blob exists when
 * it has an entry, which is written after its chunks.
 */
export function gridFsBlobs({ client }: MongoStore): BlobStore {
  const bucket = new GridFSBucket(client.db(), { bucketName: BUCKET });
  return {
    async put(key, source, limitBytes): Promise<StoredBlob> {
      checkBlobKey(key);
      const { bytes, result } = measure(source, limitBytes);
      const target = bucket.openUploadStreamWithId(idOf(key), key);
      try {
        await pipeline(bytes, target);
        return result();
      } catch (error) {
        // Removes the chunks; `delete` removes those that are left.
        await target.abort().catch(() => {});
        throw translateError(error);
      }
    },
    async *open(key, range) {
      checkBlobKey(key);
      if (range?.length === 0) return;
      const options = range ? { start: range.start, end: range.start + range.length } : {};
      const source = bucket.openDownloadStream(idOf(key), options);
      try {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
        }
      } catch (error) {
        throw isMissing(error) ? new BlobMissing(key) : translateError(error);
      } finally {
        source.destroy();
      }
    },
    async delete(key) {
      checkBlobKey(key);
      try {
        // Deletes the chunks of a key also if it has no entry.
        await bucket.delete(idOf(key));
      } catch (error) {
        if (!isMissing(error)) throw translateError(error);
      }
    },
    // The disk is that of the MongoDB server.
    freeBytes: async () => Number.POSITIVE_INFINITY,
    close: async () => {},
  };
}

/** Uses keys in place of the driver's ids, which its types do not allow. */
function idOf(key: string): ObjectId {
  return key as unknown as ObjectId;
}

function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  // The chunks of a blob that is deleted while it is read go first.
  return code === 'ENOENT' || /^(?:FileNotFound|File not found|ChunkIsMissing)/.test(message ?? '');
}
