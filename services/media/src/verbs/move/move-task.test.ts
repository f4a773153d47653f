import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { insertAggregates } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import {
  type CrashPoint,
  crashableStore,
  type OfferedStore,
  sharedStore,
  stores,
} from '@steward/store/testing';
import { Tasks } from '@steward/tasks';
import { createFakeClock, dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { derivedKey, newBlobKey } from '../../core/blobs/blob-key.ts';
import type { BlobStore } from '../../core/blobs/blob-store.ts';
import { diskBlobs } from '../../core/blobs/disk.ts';
import { withSecond } from '../../core/blobs/with-second.ts';
import { tasks } from '../../core/collections.ts';
import type { Deps } from '../../core/deps.ts';
import { CLAIM_GRACE_MS, keepBlob, sweepClaims } from '../../core/keep-blob.ts';
import type { Media } from '../../core/model/media.ts';
import { readMedium } from '../../core/read-medium.ts';
import { removeMedia, sweepDeleting } from '../../core/remove-media.ts';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { MOVE_MEDIA, type MoveParams } from './move-media.ts';
import { moveTask } from './move-task.ts';

/** What it proves. */
const GUARDS = ['packages/tasks/', 'services/media/src/core/', 'services/media/src/verbs/move/'];

const ROUTE = 'there to here';
const ORDER = {
  id: 'order',
  kind: MOVE_MEDIA,
  key: MOVE_MEDIA,
  params: { route: ROUTE, bytesPerSecond: 1_000_000_000 } satisfies MoveParams,
  requestedBy: '@admin:test',
};

/** More media than a batch has. */
const MEDIA = 24;
/** About the number of calls of the store that a move of this many media makes. */
const MOST_CALLS = 120;
const LEASE_MS = 5 * 60_000;
const NO_LIMIT_BYTES = Number.MAX_SAFE_INTEGER;

const bytesOf = (id: string) => Buffer.from(`the bytes of ${id}`.repeat(20));
const idOf = (n: number) => `m${String(n).padStart(3, '0')}`;

async function* once(bytes: Uint8Array) {
  yield bytes;
}

async function folder() {
  const directory = await mkdtemp(join(tmpdir(), 'steward-move-media-'));
  return {
    blobs: diskBlobs(directory, systemRandom, async () => {}),
    async files() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true });
      return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
    },
    drop: () => rm(directory, { recursive: true }),
  };
}

/** Two places of media, documents of media that are in the second, and processes. */
async function prepare(open: OfferedStore['open'], count = MEDIA) {
  const { store, drop } = await open();
  const clock = createFakeClock();
  const [first, second] = await Promise.all([folder(), folder()]);
  const engine = { clock, random: systemRandom, report: () => {} };
  const busStore = await openSqliteStore({ path: ':memory:' });
  const bus = await createLocalBus({ ...engine, store: busStore });
  const documents: Media[] = [];
  for (let n = 0; n < count; n++) {
    const [id, blob] = [idOf(n), newBlobKey(systemRandom)];
    const { length, sha256 } = await second.blobs.put(blob, once(bytesOf(id)), NO_LIMIT_BYTES);
    const thumbnail = { key: derivedKey(blob, '32x32-crop'), width: 32, height: 32, method: 'crop' } as const;
    await second.blobs.put(thumbnail.key, once(Buffer.from('small')), NO_LIMIT_BYTES);
    const thumbnails = [{ ...thumbnail, type: 'image/png', length: 5 }];
    const fields = { origin: 'elsewhere', user_id: null, length, sha256, blob, thumbnails };
    documents.push(mediumOf(id, fields));
  }
  const startProcess = async (itsStore: Store) => {
    const opened = await Tasks.open({
      ...engine,
      store: sharedStore(itsStore),
      collections: tasks,
      bus,
      publisher: { outbox: { add: async () => {} }, relay: { notify() {} } },
    });
    const blobs = withSecond(first.blobs, second.blobs);
    const deps = await machineOn(itsStore, { clock, blobs, tasks: opened, settings: { moveRoute: ROUTE } });
    deps.tasks.start([moveTask(deps, second.blobs)]);
    return deps;
  };
  const observer = await machineOn(store, { clock, blobs: withSecond(first.blobs, second.blobs) });
  await insertAggregates(observer.media, documents);
  return {
    store,
    clock,
    first,
    second,
    observer,
    documents,
    startProcess,
    async close() {
      await bus.close();
      await busStore.close();
      await first.drop();
      await second.drop();
      await drop();
    },
  };
}

async function read(deps: Deps, { _id, blob, length }: Media): Promise<string> {
  const again = async () => {
    const now = await deps.media.findOne({ _id });
    if (!now?.blob) throw new Error(`${_id} is gone`);
    return { blob: now.blob, length };
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of readMedium(deps, { blob: blob ?? '', length }, again)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Uploads a medium, as the requests do. */
async function upload(deps: Deps, id: string): Promise<void> {
  const blob = newBlobKey(systemRandom);
  const put = () => deps.blobs.put(blob, once(bytesOf(id)), NO_LIMIT_BYTES);
  await keepBlob(deps, blob, put, ({ length, sha256 }) =>
    insertAggregates(deps.media, [
      mediumOf(id, { origin: 'elsewhere', user_id: null, length, sha256, blob }),
    ]),
  );
}

describe.each(stores)('a move of media $title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'loses and keeps nothing, whenever a process crashes, while media are uploaded, deleted and read',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: MOST_CALLS }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          async (call, how) => {
            const { store, clock, first, second, observer, documents, startProcess, close } =
              await prepare(open);
            const orphan = newBlobKey(systemRandom);
            await second.blobs.put(orphan, once(bytesOf('orphan')), NO_LIMIT_BYTES);
            const crashable = crashableStore(store);
            const dying = await startProcess(crashable.store);
            crashable.crashAt(call, how);
            const moving = dying.tasks
              .create(ORDER)
              .catch(() => {})
              .then(() => dying.tasks.whenIdle());
            for (let n = 0; n < MEDIA; n += 5) {
              await removeMedia(observer, [`elsewhere/${idOf(n)}`]);
              await upload(observer, `new${idOf(n)}`);
              const other = documents[n + 1] as Media;
              expect(await read(observer, other)).toBe(bytesOf(other.media_id).toString());
            }
            await moving;
            clock.advance(LEASE_MS);
            const next = await startProcess(store);
            await next.tasks.create(ORDER).catch(() => {});
            await next.tasks.whenIdle();
            expect(await next.tasks.find(ORDER.id)).toMatchObject({ state: 'complete' });
            clock.advance(CLAIM_GRACE_MS + 1);
            await sweepDeleting(next);
            await sweepClaims(next);
            const left = await next.media.find({}).toArray();
            expect(left.map(({ media_id }) => media_id).sort()).toEqual(
              documents.flatMap(({ media_id }, n) => (n % 5 === 0 ? [`new${media_id}`] : [media_id])).sort(),
            );
            for (const medium of left) {
              expect(await read(next, medium)).toBe(bytesOf(medium.media_id).toString());
            }
            expect(await first.files()).toEqual(left.map(({ blob }) => blob).sort());
            expect(await second.files()).toEqual([orphan]);
            expect(await next.claims.countDocuments({})).toBe(0);
            for (const each of [dying, next]) await each.tasks.close();
            await close();
          },
        ),
        { numRuns: dueRuns(remote ? 3 : 10, 'crashes of a move', GUARDS) },
      );
    },
  );

  it.skipIf(missing)('does no harm beside another one', async () => {
    const { clock, first, second, observer, documents, close } = await prepare(open);
    onTestFinished(close);
    // As if one had lost its lease and did not know.
    const stalled = () => {
      let cursor: unknown;
      const { signal } = new AbortController();
      const task = {
        signal,
        done: 0,
        params: () => ORDER.params,
        result: () => undefined,
        step: '',
        cursor: () => cursor,
        save: async (checkpoint: { cursor?: unknown }) => {
          cursor = checkpoint.cursor ?? cursor;
        },
      };
      const deps = { ...observer, settings: { ...observer.settings, moveRoute: ROUTE } };
      return moveTask(deps, second.blobs).run(task as never);
    };
    await Promise.all([stalled(), stalled(), stalled()]);
    clock.advance(CLAIM_GRACE_MS + 1);
    await sweepClaims(observer);
    const left = await observer.media.find({}).toArray();
    expect(left).toHaveLength(documents.length);
    for (const medium of left) expect(await read(observer, medium)).toBe(bytesOf(medium.media_id).toString());
    expect(await first.files()).toEqual(left.map(({ blob }) => blob).sort());
    expect(await second.files()).toEqual([]);
  });

  it.skipIf(missing)('leaves damaged bytes where they are, and names what it could not move', async () => {
    const { store, second, observer, documents, startProcess, close } = await prepare(open, 3);
    onTestFinished(close);
    const [missingOne, damagedOne, sound] = documents as [Media, Media, Media];
    await second.blobs.delete(missingOne.blob ?? '');
    await second.blobs.put(damagedOne.blob ?? '', once(Buffer.from('others')), NO_LIMIT_BYTES);
    const process = await startProcess(store);
    await process.tasks.create(ORDER);
    await process.tasks.whenIdle();
    const task = await process.tasks.find(ORDER.id);
    expect(JSON.parse(task?.result ?? '')).toEqual({
      moved: 1,
      bytes: sound.length,
      missing: 1,
      damaged: 1,
      media: [missingOne._id, damagedOne._id],
    });
    expect(await second.files()).toContain(damagedOne.blob);
    expect(await read(observer, sound)).toBe(bytesOf(sound.media_id).toString());
    await process.tasks.close();
  });

  it.skipIf(missing)('removes the old bytes of what it has moved when it is cancelled', async () => {
    const { store, clock, second, observer, startProcess, close } = await prepare(open, 8);
    onTestFinished(close);
    const crashable = crashableStore(store);
    const dying = await startProcess(crashable.store);
    // After a commit, and before the removal of the old bytes.
    const remove = second.blobs.delete;
    Object.assign(second.blobs, {
      delete: () => Promise.reject(new Error('away')),
    } satisfies Partial<BlobStore>);
    await dying.tasks.create(ORDER);
    await dying.tasks.whenIdle();
    Object.assign(second.blobs, { delete: remove });
    clock.advance(LEASE_MS);
    await dying.tasks.cancel(ORDER.id, '@admin:test');
    await dying.tasks.whenIdle();
    expect(await dying.tasks.find(ORDER.id)).toMatchObject({ state: 'cancelled' });
    const named = new Set((await observer.media.find({}).toArray()).map(({ blob }) => blob));
    const originals = (await second.files()).filter((name) => !name.includes('.'));
    expect(originals.filter((key) => !named.has(key))).toEqual([]);
    await dying.tasks.close();
  });

  it.skipIf(missing).each(['before', 'after'] as const)(
    'loses nothing when the sweep takes its copy for that of a crashed process, %s it is read back',
    async (when) => {
      const { store, clock, first, second, observer, documents, startProcess, close } = await prepare(
        open,
        1,
      );
      onTestFinished(close);
      const [medium] = documents as [Media];
      const openFirst = first.blobs.open;
      let readBack = 0;
      const sweep = async () => {
        clock.advance(CLAIM_GRACE_MS + 1);
        await sweepClaims(observer);
      };
      Object.assign(first.blobs, {
        async *open(key, range) {
          const isCopy = key !== medium.blob && readBack++ === 0;
          if (isCopy && when === 'before') await sweep();
          yield* openFirst(key, range);
          if (isCopy && when === 'after') await sweep();
        },
      } satisfies Partial<BlobStore>);
      const process = await startProcess(store);
      await process.tasks.create(ORDER);
      await process.tasks.whenIdle();
      expect(readBack).toBe(1);
      clock.advance(LEASE_MS);
      await process.tasks.create({ ...ORDER, id: 'again' });
      await process.tasks.whenIdle();
      const task = await process.tasks.find(ORDER.id);
      expect(JSON.parse(task?.result ?? '')).toMatchObject({ moved: 1, missing: 0 });
      const now = (await observer.media.findOne({ _id: medium._id })) as Media;
      expect(await read(observer, now)).toBe(bytesOf(medium.media_id).toString());
      expect([await first.files(), await second.files()]).toEqual([[now.blob], []]);
      await process.tasks.close();
    },
  );
});
