import { type CrashPoint, type OfferedStore, stores } from '@steward/store/testing';
import { dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Media, mediaKey } from '../../core/model/media.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { quarantineProcesses } from '../../fixtures/quarantine-processes.ts';
import {
  QUARANTINE_ROOM_MEDIA,
  QUARANTINE_USER_MEDIA,
  quarantineAll,
  quarantineInBulk,
} from './bulk-quarantine.ts';

const USER = '@a:test';
const ROOM = '!room:test';
const ADMIN = '@admin:test';

/** More media than two parts. */
const MEDIA = 500;
/** One of this many media is protected. */
const PROTECTED = 100;
/** About the number of calls of the store that a quarantine of this many media makes. */
const MOST_CALLS = 35;
/** A call at which a process crashes during the first part. */
const HALFWAY = 16;

/** What quarantines media. */
const GUARDS = ['packages/tasks/', 'services/media/src/core/', 'services/media/src/verbs/quarantine/'];

const idOf = (n: number) => `m${String(n).padStart(3, '0')}`;

const medium = (n: number): Media =>
  mediumOf(idOf(n), { user_id: USER, created_ts: n, safe_from_quarantine: n % PROTECTED === 0 });

/** Two pages with mostly the same media, an invalid URI, an unknown medium and one of another server. */
const PAGES = [
  [...Array.from({ length: MEDIA - 1 }, (_, n) => `mxc://test/${idOf(n)}`), 'no uri', 'mxc://test/unknown'],
  [...Array.from({ length: MEDIA }, (_, n) => `mxc://test/${idOf(n)}`), 'mxc://elsewhere/m'],
];

const KINDS = [
  { kind: QUARANTINE_USER_MEDIA, key: USER },
  { kind: QUARANTINE_ROOM_MEDIA, key: ROOM },
] as const;

const CASES = stores.flatMap((offered) => KINDS.map((each) => ({ ...offered, ...each })));

const prepare = (open: OfferedStore['open']) =>
  quarantineProcesses(
    open,
    Array.from({ length: MEDIA }, (_, n) => medium(n)),
    PAGES,
  );

describe.each(CASES)('$kind $title', ({ kind, key, missing, remote, open }) => {
  const request = { kind, key, params: null, requestedBy: ADMIN };
  const unprotected = MEDIA - MEDIA / PROTECTED;

  it.skipIf(missing)(
    'is completed once, and listed and counted exactly, whenever a process crashes',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: MOST_CALLS }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          async (call, how) => {
            const { store, media, startProcess, orderUntilCrash, close } = await prepare(open);
            const first = await orderUntilCrash(request, call, how);
            const second = await startProcess(store);
            const known = await second.tasks.list(key, kind);
            if (known.length === 0) await second.tasks.create(request);
            await second.tasks.whenIdle();
            const [task] = await second.tasks.list(key, kind);
            expect(task).toMatchObject({ state: 'complete', done: unprotected });
            const changes = await second.quarantineChanges.find({}).toArray();
            const quarantinedIds = new Set(
              changes.map(({ media_id, quarantined }) => quarantined && media_id),
            );
            for (const { media_id, safe_from_quarantine, quarantined_by, version } of await media
              .find({})
              .toArray()) {
              const isTouched = !safe_from_quarantine;
              expect([media_id, quarantined_by, version, quarantinedIds.has(media_id)]).toEqual([
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
        { numRuns: dueRuns(remote ? 4 : 15, `crashes of ${kind} of many`, GUARDS) },
      );
    },
  );

  it.skipIf(missing)(
    'leaves out media whose quarantine an administrator ended before it was completed',
    async () => {
      const { store, media, startProcess, orderUntilCrash, close } = await prepare(open);
      onTestFinished(close);
      const first = await orderUntilCrash(request, HALFWAY, 'after');
      const taken = await media.findOne({ quarantined_by: ADMIN });
      const id = taken?._id ?? '';
      await media.updateOne({ _id: id }, { $set: { quarantined_by: null } });
      const second = await startProcess(store);
      await second.tasks.whenIdle();
      expect(await media.findOne({ _id: id })).toMatchObject({ quarantined_by: null });
      expect(await media.countDocuments({ quarantined_by: ADMIN })).toBe(unprotected - 1);
      for (const { tasks } of [first, second]) await tasks.close();
    },
  );

  it.skipIf(missing)('lists the quarantined media when it is cancelled while it runs', async () => {
    const { store, media, startProcess, orderUntilCrash, cancel, close } = await prepare(open);
    onTestFinished(close);
    const order = { ...request, id: 'order' };
    const first = await orderUntilCrash(order, HALFWAY, 'after');
    await cancel(order.id, ADMIN);
    const second = await startProcess(store);
    await second.tasks.whenIdle();
    expect(await second.tasks.find(order.id)).toMatchObject({ state: 'cancelled' });
    const changes = await second.quarantineChanges.find({}, { sort: { _id: 1 } }).toArray();
    const touched = await media.find({ quarantined_by: ADMIN }, { sort: { _id: 1 } }).toArray();
    expect(touched).not.toEqual([]);
    // A medium may be listed twice.
    expect([...new Set(changes.map(({ media_id }) => media_id))]).toEqual(
      touched.map(({ media_id }) => media_id),
    );
    for (const { tasks } of [first, second]) await tasks.close();
  });

  it.skipIf(missing)('continues when its caller stops waiting', async () => {
    const { store, media, startProcess, close } = await prepare(open);
    onTestFinished(close);
    const deps = await startProcess(store);
    const bulk = { kind, key, requestedBy: ADMIN, maxWaitMs: 0 };
    const waiting = quarantineInBulk(deps, bulk, new AbortController().signal);
    await expect(waiting).rejects.toThrow('The quarantine is still running');
    await deps.tasks.whenIdle();
    expect(await media.countDocuments({ quarantined_by: ADMIN })).toBe(unprotected);
    await deps.tasks.close();
  });

  it.skipIf(missing)(
    'a quarantine task is not taken for the one of another caller, who may have other rights',
    async () => {
      const { store, startProcess, close } = await prepare(open);
      onTestFinished(close);
      const deps = await startProcess(store);
      for (const requestedBy of [ADMIN, '@other:test', '@other:test']) {
        const bulk = { kind, key, requestedBy, maxWaitMs: 0 };
        const waiting = quarantineInBulk(deps, bulk, new AbortController().signal);
        await expect(waiting).rejects.toThrow('The quarantine is still running');
      }
      const orderedBy = (await deps.tasks.list(key, kind)).map(({ requested_by }) => requested_by);
      expect(orderedBy.toSorted()).toEqual([ADMIN, '@other:test']);
      await deps.tasks.whenIdle();
      await deps.tasks.close();
    },
  );

  it.skipIf(missing)('a quarantine task is waited for when only few media are left of it', async () => {
    const { store, startProcess, close } = await prepare(open);
    onTestFinished(close);
    const deps = await startProcess(store);
    const { signal } = new AbortController();
    const bulk = { kind, key, requestedBy: ADMIN, maxWaitMs: 60_000 };
    const few = async () => ({ keys: [mediaKey('test', idOf(1))], which: {} });
    await expect(quarantineInBulk(deps, { ...bulk, maxWaitMs: 0 }, signal)).rejects.toThrow(
      'is still running',
    );
    expect(await quarantineAll(deps, bulk, few, signal)).toBe(unprotected);
    // Without a running task, few media are quarantined immediately.
    expect(await quarantineAll(deps, bulk, few, signal)).toBe(1);
    expect(await deps.tasks.list(key, kind)).toHaveLength(1);
    await deps.tasks.close();
  });

  it.skipIf(missing)(
    'is waited for, and not started again, when it is requested again while it runs',
    async () => {
      const { store, media, startProcess, close } = await prepare(open);
      onTestFinished(close);
      const deps = await startProcess(store);
      const bulk = { kind, key, requestedBy: ADMIN, maxWaitMs: 0 };
      const { signal } = new AbortController();
      await expect(quarantineInBulk(deps, bulk, signal)).rejects.toThrow('The quarantine is still running');
      const again = quarantineInBulk(deps, { ...bulk, maxWaitMs: 60_000 }, signal);
      expect(await again).toBe(unprotected);
      expect(await deps.tasks.list(key, kind)).toHaveLength(1);
      expect(await media.countDocuments({ quarantined_by: ADMIN })).toBe(unprotected);
      // A task that has ended does not answer later requests.
      expect(await quarantineInBulk(deps, { ...bulk, maxWaitMs: 60_000 }, signal)).toBe(
        kind === QUARANTINE_USER_MEDIA ? 0 : unprotected,
      );
      expect(await deps.tasks.list(key, kind)).toHaveLength(2);
      await deps.tasks.close();
    },
  );
});
