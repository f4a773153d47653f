import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { loadConfig } from '@steward/config';
import { systemRandom } from '@steward/kernel';
import { openMongoStore } from '@steward/store';
import { requireEngine, withLongTimeouts } from '@steward/testing';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { derivedKey, newBlobKey } from './blob-key.ts';
import { BlobMissing, type BlobStore, BlobTooLarge, type ByteRange, PIECE_BYTES } from './blob-store.ts';
import { diskBlobs } from './disk.ts';
import { gridFsBlobs } from './gridfs.ts';
import { s3Blobs } from './s3.ts';

/** A store that one test uses alone, with access to its content. */
interface OwnBlobs {
  readonly blobs: BlobStore;
  /** The number of stored objects of any kind. */
  count(): Promise<number>;
  /** Stores a blob in part, as a process does that is killed during it; ends when `crash` resolves. */
  putPartly(key: string, crash: Promise<void>): Promise<{ readonly ended: Promise<unknown> }>;
  drop(): Promise<void>;
}

const NO_LIMIT_BYTES = Number.MAX_SAFE_INTEGER;
const BYTES = Buffer.from(Array.from({ length: 700_000 }, (_, n) => (n * 7) % 256));

const mongo = requireEngine('mongo');
const s3 = requireEngine('s3');

/** Stores what is read until the source fails. */
async function putHalting(blobs: BlobStore, key: string, crash: Promise<void>) {
  const halted = Promise.withResolvers<void>();
  async function* halting() {
    yield* from(BYTES);
    halted.resolve();
    await crash;
    throw new Error('cut');
  }
  const ended = blobs.put(key, halting(), NO_LIMIT_BYTES).catch((error: unknown) => error);
  await halted.promise;
  return { ended };
}

async function onDisk(): Promise<OwnBlobs> {
  const directory = await mkdtemp(join(tmpdir(), 'steward-blobs-'));
  const blobs = diskBlobs(directory, systemRandom);
  return {
    blobs,
    putPartly: (key, crash) => putHalting(blobs, key, crash),
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
    putPartly: (key, crash) => putHalting(blobs, key, crash),
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

async function inS3(): Promise<OwnBlobs> {
  const { origin, pathname } = new URL(s3.url ?? '');
  const Bucket = pathname.slice(1);
  const Prefix = `${newBlobKey(systemRandom)}/`;
  const settings = { endpoint: origin, bucket: Bucket, prefix: Prefix };
  const env = { STEWARD_CONFIG_OVERRIDES: JSON.stringify({ media: { store: 's3', s3: settings } }) };
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test').stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  const blobs = await s3Blobs(loadConfig({ env }).media, systemRandom);
  const client = new S3Client({ endpoint: origin, region: 'us-east-1', forcePathStyle: true });
  return {
    blobs,
    async putPartly(key, crash) {
      const object = { Bucket, Key: `${Prefix}${key}` };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(object));
      await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: BYTES }));
      const complete = async () => {
        await crash;
        await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId }));
      };
      return { ended: complete().catch((error: unknown) => error) };
    },
    async count() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
      // The service in memory has no such list before the first upload in parts.
      const list = client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }));
      const { Uploads = [] } = await list.catch(() => ({ Uploads: [] }));
      return Contents.length + Uploads.length;
    },
    async drop() {
      await blobs.close();
      client.destroy();
      vi.unstubAllEnvs();
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
  { title: `in S3: ${s3.title}`, missing: s3.url === undefined, open: inS3 },
])('blobs $title', ({ missing, open }) => {
  describe.skipIf(missing)('', () => {
    let own: OwnBlobs;
    beforeAll(async () => {
      own = await open();
    });
    afterAll(() => own.drop());

    it.each([0, 1, 255 * 1024, BYTES.length])(
      'blobs are read as they were stored: %i bytes',
      async (length) => {
        const key = newBlobKey(systemRandom);
        const bytes = BYTES.subarray(0, length);
        const stored = await own.blobs.put(key, from(bytes), length);
        expect(stored).toEqual({ length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
        expect((await read(own.blobs, key)).equals(bytes)).toBe(true);
        await own.blobs.delete(key);
        await expect(read(own.blobs, key)).rejects.toThrow(BlobMissing);
      },
    );

    it('blobs are read in part', async () => {
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

    it('blobs that are too large or incomplete leave nothing', async () => {
      const before = await own.count();
      const key = newBlobKey(systemRandom);
      await expect(own.blobs.put(key, from(BYTES), BYTES.length - 1)).rejects.toThrow(BlobTooLarge);
      await expect(own.blobs.put(key, from(BYTES, new Error('cut')), NO_LIMIT_BYTES)).rejects.toThrow('cut');
      await expect(read(own.blobs, key)).rejects.toThrow(BlobMissing);
      expect(await own.count()).toBe(before);
    });

    it('blobs are independent of derived blobs, and may be deleted twice', async () => {
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

    it('blobs that a crashed process stored partly are removed completely', async () => {
      const before = await own.count();
      const key = newBlobKey(systemRandom);
      const crash = Promise.withResolvers<void>();
      const { ended } = await own.putPartly(key, crash.promise);
      expect(await own.count()).toBeGreaterThan(before);
      await expect(read(own.blobs, key)).rejects.toThrow(BlobMissing);
      await own.blobs.delete(key);
      expect(await own.count()).toBe(before);
      crash.resolve();
      expect(await ended).toBeInstanceOf(Error);
    });

    it('blobs are released when a reader stops in the middle', async () => {
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
