import { type FileHandle, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Random, randomId } from '@steward/kernel';
import { checkBlobKey } from './blob-key.ts';
import { BlobMissing, type BlobStore, type ByteRange, PIECE_BYTES, type StoredBlob } from './blob-store.ts';
import { measure } from './measure.ts';

/** Owner only, like the rest of the data directory. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** The number of characters of a key that name a folder, on two levels, so that folders stay small with millions of files. */
const SHARD_LETTERS = 2;

/** Separates the key from the unique suffix in the name of an incomplete file; no key contains it. */
const UNFINISHED_MARK = '~';

/**
 * Blobs as files below a directory, which several processes may share. A file gets its name when it is
 * complete and on the disk.
 *
 * @param sync syncs a directory, so that its names survive a power failure
 */
export function diskBlobs(directory: string, random: Random, sync = syncDirectory): BlobStore {
  const root = resolve(directory);
  const pathOf = (key: string): string => {
    checkBlobKey(key);
    const shards = [key.slice(0, SHARD_LETTERS), key.slice(SHARD_LETTERS, 2 * SHARD_LETTERS)];
    return join(root, ...shards, key);
  };
  /** The folders whose names this process has made durable in their parents: at most one for each shard. */
  const durable = new Set<string>();
  const makeFolder = async (folder: string): Promise<void> => {
    const made = await mkdir(folder, { recursive: true, mode: DIRECTORY_MODE });
    // Also if the folder existed, because the process that created it may have crashed before it synced the parent.
    for (const name of [root, dirname(folder), folder]) {
      const isNew = made !== undefined && name.startsWith(made);
      if (durable.has(name) && !isNew) continue;
      await sync(dirname(name));
      durable.add(name);
    }
  };
  return {
    async put(key, source, limitBytes): Promise<StoredBlob> {
      const path = pathOf(key);
      const unfinished = `${path}${UNFINISHED_MARK}${randomId(random)}`;
      await makeFolder(dirname(path));
      try {
        const { bytes, result } = measure(source, limitBytes);
        const file = await open(unfinished, 'wx', FILE_MODE);
        try {
          for await (const piece of bytes) await file.writeFile(piece);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, path);
        await sync(dirname(path));
        return result();
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async *open(key, range) {
      const file = await open(pathOf(key)).catch((error: unknown) => {
        throw isMissing(error) ? new BlobMissing(key) : error;
      });
      try {
        yield* pieces(file, range);
      } finally {
        await file.close();
      }
    },
    async delete(key) {
      const path = pathOf(key);
      const folder = dirname(path);
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      for (const name of names) {
        if (name === key || name.startsWith(key + UNFINISHED_MARK))
          await rm(join(folder, name), { force: true });
      }
    },
    async freeBytes() {
      await mkdir(root, { recursive: true, mode: DIRECTORY_MODE });
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
    async close() {},
  };
}

async function* pieces(file: FileHandle, range: ByteRange | undefined): AsyncGenerator<Uint8Array> {
  let position = range?.start ?? 0;
  const end = range ? range.start + range.length : Number.POSITIVE_INFINITY;
  while (position < end) {
    // A new buffer for each piece, because the consumer may keep it.
    const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - position));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as { code?: string }).code === 'ENOENT';
}
