import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@steward/kernel';
import { openMongoStore } from '@steward/store';
import { requireEngine, withLongTimeouts } from '@steward/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { derivedKey, newBlobKey } from './blob-key.ts';
import { BlobMissing, type BlobStore, BlobTooLarge, type ByteRange, PIECE_BYTES } from './blob-store.ts';
import { diskBlobs } from './disk.ts';
import { gridFsBlobs } from './gridfs.ts';

/** A store that a test has for itself, and how to look behind it. */
interface OwnBlobs {
  readonly blobs: BlobStore;
  /** How many things it holds, of whatever kind. */
  count(): Promise<number>;
  drop(): Promise<void>;
}

const NO_LIMIT_BYTES = Number.MAX_SAFE_INTEGER;
const BYTES = Buffer.from(Array.from({ length: 700_000 }, (_, n) => (n * 7) % 256));

const mongo = requireEngine('mongo');

async function onDisk(): Promise<OwnBlobs> {
  const directory = await mkdtemp(join(tmpdir(), 'steward-blobs-'));
  return {
    blobs: diskBlobs(directory, systemRandom),
    async count() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).length;
    },
    drop: () => rm(directory, { recursive: true }),
  };
}

async function inGridFs(): Promise<OwnBlobs> {
  const url = new URL(withLongTimeouts(mongo.url ?? ''));
  url.pathname = `/steward_test_${newBlobKey(systemRandom)}`;
  const store = await openMongoStore({ url: url.href });
  const blobs = gridFsBlobs(store);
  const client = await MongoClient.connect(url.href);
  return {
    blobs,
    async count() {
      const of = (name: string) => client.db().collection(`media.blobs.${name}`).countDocuments();
      return (await of('files')) + (await of('chunks'));
    },
    async drop() {
      await client.db().dropDatabase();
      await client.close();
      await blobs.close();
      await store.close();
    },
  };
}

async function* from(bytes: Buffer, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
  if (failure) throw failure;
}

async function read(blobs: BlobStore, key: string, range?: ByteRange): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.open(key, range)) {
    expect(piece.length).toBeLessThanOrEqual(PIECE_BYTES);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

describe.each([
  { title: 'on disk', missing: false, open: onDisk },
  { title: `in GridFS: ${mongo.title}`, missing: mongo.url === undefined, open: inGridFs },
])('blobs $title', ({ missing, open }) => {
  describe.skipIf(missing)('', () => {
    let own: OwnBlobs;
    beforeAll(async () => {
      own = await open();
    });
    afterAll(() => own.drop());

    it.each([0, 1, 255 * 1024, BYTES.length])('come back as they were put: %i bytes', async (length) => {
      const key = newBlobKey(systemRandom);
      const bytes = BYTES.subarray(0, length);
      const stored = await own.blobs.put(key, from(bytes), length);
      expect(stored).toEqual({ length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect((await read(own.blobs, key)).equals(bytes)).toBe(true);
      await own.blobs.delete(key);
      await expect(read(own.blobs, key)).rejects.toThrow(BlobMissing);
    });

    it('come back in part', async () => {
      const key = newBlobKey(systemRandom);
      await own.blobs.put(key, from(BYTES), NO_LIMIT_BYTES);
      for (const [start, length] of [
        [0, 1],
        [65_535, 2],
        [261_119, 100_000],
        [BYTES.length - 1, 1],
        [100, 0],
      ] as const) {
        const part = await read(own.blobs, key, { start, length });
        expect(part.equals(BYTES.subarray(start, start + length))).toBe(true);
      }
      await own.blobs.delete(key);
    });

    it('that are too large or cut short leave nothing', async () => {
      const before = await own.count();
      const key = newBlobKey(systemRandom);
      await expect(own.blobs.put(key, from(BYTES), BYTES.length - 1)).rejects.toThrow(BlobTooLarge);
      await expect(own.blobs.put(key, from(BYTES, new Error('cut')), NO_LIMIT_BYTES)).rejects.toThrow('cut');
      await expect(read(own.blobs, key)).rejects.toThrow(BlobMissing);
      expect(await own.count()).toBe(before);
    });

    it('are apart from what was made of them, and may be deleted twice', async () => {
      const before = await own.count();
      const key = newBlobKey(systemRandom);
      const small = derivedKey(key, '32x32-crop');
      await own.blobs.put(key, from(BYTES), NO_LIMIT_BYTES);
      await own.blobs.put(small, from(Buffer.from('small')), NO_LIMIT_BYTES);
      await own.blobs.delete(key);
      expect((await read(own.blobs, small)).toString()).toBe('small');
      for (const gone of [key, small, small]) await own.blobs.delete(gone);
      expect(await own.count()).toBe(before);
    });

    it('that a crashed process left half stored are removed wholly', async () => {
      const before = await own.count();
      const key = newBlobKey(systemRandom);
      const halted = Promise.withResolvers<void>();
      const crash = Promise.withResolvers<void>();
      async function* halting() {
        yield* from(BYTES);
        halted.resolve();
        await crash.promise;
        throw new Error('cut');
      }
      const putting = own.blobs.put(key, halting(), NO_LIMIT_BYTES).catch((error: unknown) => error);
      await halted.promise;
      expect(await own.count()).toBeGreaterThan(before);
      await expect(read(own.blobs, key)).rejects.toThrow(BlobMissing);
      await own.blobs.delete(key);
      expect(await own.count()).toBe(before);
      crash.resolve();
      expect(await putting).toBeInstanceOf(Error);
    });

    it('are let go of in the middle', async () => {
      const key = newBlobKey(systemRandom);
      await own.blobs.put(key, from(BYTES), NO_LIMIT_BYTES);
      for await (const _ of own.blobs.open(key)) break;
      await own.blobs.delete(key);
    });

    it.each(['', '..', '../../etc/passwd', 'a/b', `${'a'.repeat(32)}/..`, `${'a'.repeat(32)}.a/b`])(
      'have no key %j',
      async (key) => {
        await expect(own.blobs.put(key, from(BYTES), NO_LIMIT_BYTES)).rejects.toThrow(TypeError);
        await expect(read(own.blobs, key)).rejects.toThrow(TypeError);
        await expect(own.blobs.delete(key)).rejects.toThrow(TypeError);
      },
    );
  });
});
