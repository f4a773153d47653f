import type { HandlerContext } from '@connectrpc/connect';
import { toRefusal } from '@steward/errors';
import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { createQuotas } from '@steward/limits';
import { openCollections } from '@steward/service';
import { stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BlobStore } from '../../core/blobs/mod.ts';
import { collections } from '../../core/collections.ts';
import { PENDING_LIFE_MS } from '../../core/model/pending-upload.ts';
import { prunePendingUploads } from '../../core/prune-pending-uploads.ts';
import { countMedia } from '../../core/usage/count-media.ts';
import { machineOn } from '../../fixtures/machine-on.ts';
import { awaitUpload } from './await-upload.ts';
import { completeUpload } from './complete-upload.ts';
import { createUpload } from './create-upload.ts';

const ANN = '@ann:test';

const as = (userId: string) => {
  const signal = new AbortController().signal;
  return { values: { get: () => ({ userId, owner: userId }) }, signal } as unknown as HandlerContext;
};

/** The bytes of all media in memory. */
function memoryBlobs(): Pick<BlobStore, 'put' | 'delete'> {
  const kept = new Map<string, Buffer>();
  return {
    async put(key, pieces) {
      const read: Uint8Array[] = [];
      for await (const piece of pieces) read.push(piece);
      kept.set(key, Buffer.concat(read));
      return { length: kept.get(key)?.length ?? 0, sha256: key };
    },
    delete: async (key) => void kept.delete(key),
  };
}

describe.each(stores)('an upload after its content URI $title', ({ missing, open }) => {
  async function start() {
    const { store, drop } = await open();
    const clock = createFakeClock();
    const engine = { clock, random: systemRandom, report: () => {} };
    const bus = await createLocalBus({ ...engine, store });
    onTestFinished(async () => {
      await bus.close();
      await drop();
    });
    const { media } = await openCollections(store, collections);
    const deps = await machineOn(store, {
      clock,
      bus,
      blobs: memoryBlobs(),
      settings: { maxUploadBytes: 100, legacyDownload: true },
      requireFreeSpace: async () => {},
      counts: { add() {} },
      limits: { mediaCreate: { take() {} } },
      quotas: createQuotas({
        quotas: { media_bytes: 30, media_count: 10 },
        monthly_active_users: {},
      } as never),
    });
    const create = async (userId = ANN) => {
      const { contentUri, unusedExpiresAt } = await createUpload(deps, as(userId));
      return { mediaId: contentUri.slice('mxc://test/'.length), expires: Number(unusedExpiresAt) };
    };
    const complete = (mediaId: string, text: string, userId = ANN) => {
      const data = Buffer.from(text);
      const head = { serverName: 'test', mediaId, contentLength: BigInt(data.length) };
      async function* pieces() {
        yield { ...head, data: new Uint8Array() };
        yield { data };
      }
      return completeUpload(deps, pieces() as never, as(userId)).then(() => 'stored', codeOf);
    };
    const download = (mediaId: string, timeoutMs: number) =>
      awaitUpload(
        deps,
        { serverName: 'test', mediaId, timeoutMs: BigInt(timeoutMs) },
        'user',
        as(ANN).signal,
      ).then(({ length }) => length, codeOf);
    return { deps, clock, media, create, complete, download };
  }

  it.skipIf(missing)(
    'stores it once, for the user who created it, until the content URI expires',
    async () => {
      const { deps, clock, media, create, complete } = await start();
      const { mediaId, expires } = await create();
      expect(expires).toBe(clock.now() + PENDING_LIFE_MS);
      expect(await complete(mediaId, 'text', '@ben:test')).toBe('403 M_FORBIDDEN');
      expect(await complete('unknown', 'text')).toBe('404 M_NOT_FOUND');
      const both = await Promise.all([complete(mediaId, 'one'), complete(mediaId, 'two')]);
      expect(both.toSorted()).toEqual(['409 M_CANNOT_OVERWRITE_MEDIA', 'stored']);
      expect(await complete(mediaId, 'three')).toBe('409 M_CANNOT_OVERWRITE_MEDIA');
      expect(await complete(mediaId, 'text', '@ben:test')).toBe('403 M_FORBIDDEN');
      expect(await media.findOne({ media_id: mediaId })).toMatchObject({
        length: 3,
        unchecked: true,
        user_id: ANN,
      });

      const late = await create();
      clock.advance(PENDING_LIFE_MS + 1);
      expect(await complete(late.mediaId, 'text')).toBe('404 M_NOT_FOUND');
      await prunePendingUploads(deps);
      expect(await deps.pendingUploads.countDocuments({})).toBe(0);
    },
  );

  it.skipIf(missing)('counts towards the quota, and can be repeated when it was refused', async () => {
    const { deps, create, complete } = await start();
    const [first, second] = [await create(), await create()];
    expect(await complete(first.mediaId, 'x'.repeat(20))).toBe('stored');
    expect(await complete(second.mediaId, 'x'.repeat(20))).toBe('403 M_RESOURCE_LIMIT_EXCEEDED');
    expect(await complete(second.mediaId, 'x'.repeat(101))).toBe('413 M_TOO_LARGE');
    expect(await complete(second.mediaId, 'x'.repeat(10))).toBe('stored');
    await countMedia(deps, ANN);
    expect(await deps.usage.findOne({ _id: ANN })).toMatchObject({ count: 2, length: 30 });
  });

  it.skipIf(missing)('ends the wait of downloads', async () => {
    const { create, complete, download } = await start();
    const { mediaId } = await create();
    expect(await download(mediaId, 0)).toBe('504 M_NOT_YET_UPLOADED');
    const waiting = download(mediaId, 60_000);
    expect(await complete(mediaId, 'text')).toBe('stored');
    expect(await waiting).toBe(4);
    expect(await download('unknown', 60_000)).toBe('404 M_NOT_FOUND');
  });

  it.skipIf(missing)('is refused with too many content URIs that wait for their bytes', async () => {
    const { clock, create, complete } = await start();
    const { mediaId } = await create();
    for (let made = 1; made < 50; made++) await create();
    await expect(create()).rejects.toThrow();
    await create('@ben:test');
    expect(await complete(mediaId, 'text')).toBe('stored');
    await create();
    await expect(create()).rejects.toThrow();
    clock.advance(PENDING_LIFE_MS + 1);
    await create();
  });
});

function codeOf(error: unknown): string {
  const { status, errcode } = toRefusal(error);
  return `${status} ${errcode}`;
}
