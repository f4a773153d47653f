import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@steward/kernel';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { diskBlobs } from './disk.ts';

/** The directories that were synced, in order. */
const synced: string[] = [];
const blobsIn = (directory: string) =>
  diskBlobs(directory, systemRandom, async (path) => {
    // Fails if the directory does not exist yet.
    await readdir(path);
    synced.push(path);
  });

const KEY = 'abcd0000000000000000000000000000';
const NEIGHBOUR = 'abcd0000000000000000000000000001';
const COUSIN = 'abef0000000000000000000000000000';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'steward-blobs-'));
  synced.length = 0;
});
afterEach(() => rm(data, { recursive: true }));

async function* bytes() {
  yield Buffer.from('x');
}

it('makes new folders durable in their parents before a blob counts as stored', async () => {
  const directory = join(data, 'media');
  const blobs = blobsIn(directory);
  await blobs.put(KEY, bytes(), 1);
  const shard = join(directory, 'ab', 'cd');
  expect(synced).toEqual([data, directory, join(directory, 'ab'), shard]);
  synced.length = 0;
  await blobs.put(NEIGHBOUR, bytes(), 1);
  expect(synced).toEqual([shard]);
  synced.length = 0;
  await blobs.put(COUSIN, bytes(), 1);
  expect(synced).toEqual([join(directory, 'ab'), join(directory, 'ab', 'ef')]);
});

it('makes folders durable that another process created and may not have synced', async () => {
  const directory = join(data, 'media');
  const shard = join(directory, 'ab', 'cd');
  await mkdir(shard, { recursive: true });
  await blobsIn(directory).put(KEY, bytes(), 1);
  expect(synced).toEqual([data, directory, join(directory, 'ab'), shard]);
});

it('makes folders durable that were removed and recreated', async () => {
  const directory = join(data, 'media');
  const blobs = blobsIn(directory);
  await blobs.put(KEY, bytes(), 1);
  await rm(directory, { recursive: true });
  synced.length = 0;
  await blobs.put(KEY, bytes(), 1);
  expect(synced).toEqual([data, directory, join(directory, 'ab'), join(directory, 'ab', 'cd')]);
});
