import { systemRandom } from '@steward/kernel';
import { insertAggregates, openCollections } from '@steward/service';
import { openSqliteStore, Unavailable } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { derivedKey, newBlobKey } from './blobs/blob-key.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { collections } from './collections.ts';
import { CLAIM_GRACE_MS, keepBlob, sweepClaims } from './keep-blob.ts';
import type { Media } from './model/media.ts';

/** The steps that a test omits simulate a crash before them. */
async function start() {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const there = new Set<string>();
  const blobs = {
    async delete(key: string) {
      there.delete(key);
    },
  } as BlobStore;
  const clock = createFakeClock();
  const deps = {
    blobs,
    clock,
    ...(await openCollections(store, collections)),
  };
  const put = (key: string) => async () => {
    there.add(key);
    return { length: 1, sha256: '' };
  };
  const record = (blob: string, thumbnails: Media['thumbnails'] = [], state: Media['state'] = 'stored') =>
    insertAggregates(deps.media, [{ _id: `test/${blob}`, blob, thumbnails, state } as unknown as Media]);
  return { deps, there, clock, put, record };
}

it('keeps bytes that a document names', async () => {
  const { deps, there, clock, put, record } = await start();
  const key = newBlobKey(systemRandom);
  await keepBlob(deps, key, put(key), () => record(key));
  expect(await deps.claims.countDocuments({})).toBe(0);
  clock.advance(2 * CLAIM_GRACE_MS);
  await sweepClaims(deps);
  expect(there.has(key)).toBe(true);
});

it('removes incompletely stored bytes immediately', async () => {
  const { deps, there, put } = await start();
  const key = newBlobKey(systemRandom);
  const fail = async () => {
    await put(key)();
    throw new Error('full');
  };
  await expect(keepBlob(deps, key, fail, async () => {})).rejects.toThrow('full');
  expect({ blobs: there.size, claims: await deps.claims.countDocuments({}) }).toEqual({
    blobs: 0,
    claims: 0,
  });
});

it('removes bytes that are stored after the storage did not answer', async () => {
  const { deps, there, clock, put } = await start();
  const key = newBlobKey(systemRandom);
  const fail = async () => {
    throw new Unavailable('no answer in time');
  };
  await expect(keepBlob(deps, key, fail, async () => {})).rejects.toThrow(Unavailable);
  await put(key)();
  clock.advance(CLAIM_GRACE_MS + 1);
  await sweepClaims(deps);
  expect({ blobs: there.size, claims: await deps.claims.countDocuments({}) }).toEqual({
    blobs: 0,
    claims: 0,
  });
});

it('removes bytes whose medium is being deleted, because the deletion may have passed them', async () => {
  const { deps, there, clock, put, record } = await start();
  const key = newBlobKey(systemRandom);
  const recordAndFail = async () => {
    await record(key, [], 'deleting');
    throw new Error('gone');
  };
  await expect(keepBlob(deps, key, put(key), recordAndFail)).rejects.toThrow('gone');
  clock.advance(CLAIM_GRACE_MS + 1);
  await sweepClaims(deps);
  expect(there).toEqual(new Set());
});

it('removes bytes that no document names, but not while an upload may still write them', async () => {
  const { deps, there, clock, put, record } = await start();
  const [lost, written, thumbnail] = [0, 1, 2].map(() => newBlobKey(systemRandom)) as [
    string,
    string,
    string,
  ];
  const fails = async () => {
    throw new Error('gone');
  };
  await expect(keepBlob(deps, lost, put(lost), fails)).rejects.toThrow('gone');
  const recordAndFail = async () => {
    await record(written);
    await fails();
  };
  await expect(keepBlob(deps, written, put(written), recordAndFail)).rejects.toThrow('gone');
  await record(thumbnail);
  const made = derivedKey(thumbnail, '32x32-crop');
  await expect(keepBlob(deps, made, put(made), fails)).rejects.toThrow('gone');

  clock.advance(CLAIM_GRACE_MS);
  await sweepClaims(deps);
  expect(there).toEqual(new Set([lost, written, made]));
  clock.advance(1);
  await sweepClaims(deps);
  expect(there).toEqual(new Set([written]));
  expect(await deps.claims.countDocuments({})).toBe(0);
});

it('keeps bytes that take longer to store than the sweep waits', async () => {
  const { deps, there, clock, put, record } = await start();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const key = newBlobKey(systemRandom);
  const slowly = async () => {
    const stored = await put(key)();
    for (let passed = 0; passed < 3 * CLAIM_GRACE_MS; passed += CLAIM_GRACE_MS / 6) {
      clock.advance(CLAIM_GRACE_MS / 6);
      await vi.advanceTimersByTimeAsync(CLAIM_GRACE_MS / 6);
      await sweepClaims(deps);
    }
    return stored;
  };
  await keepBlob(deps, key, slowly, () => record(key));
  expect(there.has(key)).toBe(true);
  expect({ timers: vi.getTimerCount(), claims: await deps.claims.countDocuments({}) }).toEqual({
    timers: 0,
    claims: 0,
  });
});

it('names no bytes in a document that the sweep has removed, because the process stood still', async () => {
  const { deps, there, clock, put } = await start();
  const key = newBlobKey(systemRandom);
  const stalled = async () => {
    clock.advance(CLAIM_GRACE_MS + 1);
    await sweepClaims(deps);
    return put(key)();
  };
  await expect(keepBlob(deps, key, stalled, async () => expect.unreachable())).rejects.toThrow(
    'removed the bytes',
  );
  expect(there).toEqual(new Set());
});
