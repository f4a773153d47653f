import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import {
  type CrashPoint,
  crashableStore,
  type OfferedStore,
  sharedStore,
  stores,
} from '@steward/store/testing';
import { Tasks } from '@steward/tasks';
import { createFakeClock } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collections, tasks } from '../../core/collections.ts';
import type { Deps } from '../../core/deps.ts';
import { type Media, mediaKey } from '../../core/model/media.ts';
import {
  QUARANTINE_ROOM_MEDIA,
  QUARANTINE_USER_MEDIA,
  quarantineAll,
  quarantineInBulk,
} from './bulk-quarantine.ts';
import { roomQuarantineTask, userQuarantineTask } from './quarantine-task.ts';

const USER = '@a:test';
const ROOM = '!room:test';
const ADMIN = '@admin:test';

/** More than two parts. */
const MEDIA = 500;
/** One in so many media is protected. */
const PROTECTED = 100;
/** About as many calls of the store as a quarantine of so many makes. */
const MOST_CALLS = 50;
/** A call at which a process crashes during the first part. */
const HALFWAY = 15;
/** Longer than the leases of a crashed process last, in milliseconds. */
const LEASE_MS = 5 * 60_000;

const idOf = (n: number) => `m${String(n).padStart(3, '0')}`;

const medium = (n: number): Media => ({
  _id: mediaKey('test', idOf(n)),
  version: 1,
  origin: 'test',
  media_id: idOf(n),
  user_id: USER,
  created_ts: n,
  length: 1,
  type: 'text/plain',
  upload_name: null,
  sha256: null,
  last_access_ts: null,
  quarantined_by: null,
  safe_from_quarantine: n % PROTECTED === 0,
  blob: null,
  authenticated: false,
  state: 'stored',
  thumbnails: [],
});

/** Two pages that have most media in common, with what is no medium, and what is not here. */
const PAGES = [
  [...Array.from({ length: MEDIA - 1 }, (_, n) => `mxc://test/${idOf(n)}`), 'no uri', 'mxc://test/unknown'],
  [...Array.from({ length: MEDIA }, (_, n) => `mxc://test/${idOf(n)}`), 'mxc://elsewhere/m'],
];

const rooms: Pick<Deps['rooms'], 'mediaOf'> = {
  mediaOf: async (_, cursor) => ({ uris: PAGES[cursor ?? 0] ?? [], next: cursor === null ? 1 : null }),
};

const KINDS = [
  { kind: QUARANTINE_USER_MEDIA, key: USER },
  { kind: QUARANTINE_ROOM_MEDIA, key: ROOM },
] as const;

const CASES = stores.flatMap((offered) => KINDS.map((each) => ({ ...offered, ...each })));

/** A world in which machines come and go, and the store stays. */
async function prepare(open: OfferedStore['open']) {
  const { store, drop } = await open();
  const clock = createFakeClock();
  const engine = { clock, random: systemRandom, report: () => {} };
  const busStore = await openSqliteStore({ path: ':memory:' });
  const bus = await createLocalBus({ ...engine, store: busStore });
  const media = await store.collection(collections.media);
  await media.insertMany(Array.from({ length: MEDIA }, (_, n) => medium(n)));
  const machine = async (itsStore: Store): Promise<Deps> => {
    const deps = {
      ...(await openCollections(itsStore, collections)),
      clock,
      random: systemRandom,
      tasks: await Tasks.open({
        ...engine,
        store: sharedStore(itsStore),
        collections: tasks,
        bus,
      }),
      rooms,
    } as Partial<Record<keyof Deps, unknown>> as Deps;
    deps.tasks.start([userQuarantineTask(deps), roomQuarantineTask(deps)]);
    return deps;
  };
  const close = async () => {
    await bus.close();
    await busStore.close();
    await drop();
  };
  return { store, clock, media, machine, close };
}

describe.each(CASES)('$kind $title', ({ kind, key, missing, remote, open }) => {
  const asked = { kind, key, params: null, requestedBy: ADMIN };
  const unprotected = MEDIA - MEDIA / PROTECTED;

  it.skipIf(missing)(
    'is finished once, and listed and counted exactly, whichever process crashes when',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: MOST_CALLS }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          async (call, how) => {
            const { store, clock, media, machine, close } = await prepare(open);
            const crashable = crashableStore(store);
            const first = await machine(crashable.store);
            crashable.crashAt(call, how);
            await first.tasks.create(asked).catch(() => {});
            await first.tasks.whenIdle();
            clock.advance(LEASE_MS);

            const second = await machine(store);
            const known = await second.tasks.list(key, kind);
            if (known.length === 0) await second.tasks.create(asked);
            await second.tasks.whenIdle();
            const [task] = await second.tasks.list(key, kind);
            expect(task).toMatchObject({ state: 'complete', done: unprotected });
            const told = await second.quarantineChanges.find({}).toArray();
            const tellable = new Set(told.map(({ media_id, quarantined }) => quarantined && media_id));
            for (const { media_id, safe_from_quarantine, quarantined_by, version } of await media
              .find({})
              .toArray()) {
              const isTouched = !safe_from_quarantine;
              expect([media_id, quarantined_by, version, tellable.has(media_id)]).toEqual([
                media_id,
                isTouched ? ADMIN : null,
                isTouched ? 2 : 1,
                isTouched,
              ]);
            }
            for (const { tasks } of [first, second]) await tasks.close();
            await close();
          },
        ),
        { numRuns: remote ? 4 : 15 },
      );
    },
  );

  it.skipIf(missing)('leaves out what an administrator took out again before it was finished', async () => {
    const { store, clock, media, machine, close } = await prepare(open);
    onTestFinished(close);
    const crashable = crashableStore(store);
    const first = await machine(crashable.store);
    await first.tasks.create(asked);
    crashable.crashAt(HALFWAY, 'after');
    await first.tasks.whenIdle();
    const taken = await media.findOne({ quarantined_by: ADMIN });
    const id = taken?._id ?? '';
    await media.updateOne({ _id: id }, { $set: { quarantined_by: null } });
    clock.advance(LEASE_MS);
    const second = await machine(store);
    await second.tasks.whenIdle();
    expect(await media.findOne({ _id: id })).toMatchObject({ quarantined_by: null });
    expect(await media.countDocuments({ quarantined_by: ADMIN })).toBe(unprotected - 1);
    for (const { tasks } of [first, second]) await tasks.close();
  });

  it.skipIf(missing)('lists what it has touched when it is cancelled during that', async () => {
    const { store, clock, media, machine, close } = await prepare(open);
    onTestFinished(close);
    const crashable = crashableStore(store);
    const first = await machine(crashable.store);
    const id = await first.tasks.create(asked);
    crashable.crashAt(HALFWAY, 'after');
    await first.tasks.whenIdle();
    clock.advance(LEASE_MS);
    const second = await machine(store);
    await second.tasks.cancel(id, ADMIN);
    await second.tasks.whenIdle();
    expect(await second.tasks.find(id)).toMatchObject({ state: 'cancelled' });
    const told = await second.quarantineChanges.find({}, { sort: { _id: 1 } }).toArray();
    const touched = await media.find({ quarantined_by: ADMIN }, { sort: { _id: 1 } }).toArray();
    expect(touched).not.toEqual([]);
    // The same may be told twice.
    expect([...new Set(told.map(({ media_id }) => media_id))]).toEqual(
      touched.map(({ media_id }) => media_id),
    );
    for (const { tasks } of [first, second]) await tasks.close();
  });

  it.skipIf(missing)('goes on when its caller does not wait any longer', async () => {
    const { store, media, machine, close } = await prepare(open);
    onTestFinished(close);
    const deps = await machine(store);
    const bulk = { kind, key, requestedBy: ADMIN, maxWaitMs: 0 };
    const waiting = quarantineInBulk(deps, bulk, new AbortController().signal);
    await expect(waiting).rejects.toThrow('The quarantine goes on');
    await deps.tasks.whenIdle();
    expect(await media.countDocuments({ quarantined_by: ADMIN })).toBe(unprotected);
    await deps.tasks.close();
  });

  it.skipIf(missing)('is waited for when only few media are left of it', async () => {
    const { store, machine, close } = await prepare(open);
    onTestFinished(close);
    const deps = await machine(store);
    const { signal } = new AbortController();
    const bulk = { kind, key, requestedBy: ADMIN, maxWaitMs: 60_000 };
    const few = async () => ({ keys: [mediaKey('test', idOf(1))], which: {} });
    await expect(quarantineInBulk(deps, { ...bulk, maxWaitMs: 0 }, signal)).rejects.toThrow('goes on');
    expect(await quarantineAll(deps, bulk, few, signal)).toBe(unprotected);
    // At rest, few are dealt with at once.
    expect(await quarantineAll(deps, bulk, few, signal)).toBe(1);
    expect(await deps.tasks.list(key, kind)).toHaveLength(1);
    await deps.tasks.close();
  });

  it.skipIf(missing)(
    'is waited for, and not begun anew, when it is requested again while it goes on',
    async () => {
      const { store, media, machine, close } = await prepare(open);
      onTestFinished(close);
      const deps = await machine(store);
      const bulk = { kind, key, requestedBy: ADMIN, maxWaitMs: 0 };
      const { signal } = new AbortController();
      await expect(quarantineInBulk(deps, bulk, signal)).rejects.toThrow('The quarantine goes on');
      const again = quarantineInBulk(deps, { ...bulk, maxWaitMs: 60_000 }, signal);
      expect(await again).toBe(unprotected);
      expect(await deps.tasks.list(key, kind)).toHaveLength(1);
      expect(await media.countDocuments({ quarantined_by: ADMIN })).toBe(unprotected);
      // One that has ended does not answer later requests.
      expect(await quarantineInBulk(deps, { ...bulk, maxWaitMs: 60_000 }, signal)).toBe(
        kind === QUARANTINE_USER_MEDIA ? 0 : unprotected,
      );
      expect(await deps.tasks.list(key, kind)).toHaveLength(2);
      await deps.tasks.close();
    },
  );
});
