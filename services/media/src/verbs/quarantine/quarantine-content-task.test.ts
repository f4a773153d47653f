import { type CrashPoint, stores } from '@steward/store/testing';
import { dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { insertUpload } from '../../core/change-quarantine.ts';
import { tasks } from '../../core/collections.ts';
import type { Media } from '../../core/model/media.ts';
import { QUARANTINED, READABLE } from '../../core/same-content.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { quarantineProcesses } from '../../fixtures/quarantine-processes.ts';
import {
  QUARANTINE_HASH,
  QUARANTINE_ROOM_MEDIA,
  QUARANTINE_USER_MEDIA,
  quarantineInBulk,
  UNQUARANTINE_HASH,
} from './bulk-quarantine.ts';

const USER = '@a:test';
const ROOM = '!room:test';
const ADMIN = '@admin:test';
const OTHER_ADMIN = '@other:test';

/** A content with more media than two parts. */
const LARGE = 'large';
const OF_LARGE = 530;
/** Contents of which the user has one medium, another user one, and another server one. */
const SMALL = Array.from({ length: 150 }, (_, n) => `small${n}`);
/** The contents that only another user has. */
const UNRELATED = 30;
/** One of this many media of the large content is protected. */
const PROTECTED = 50;
/** About the number of calls of the store that a quarantine of these media makes. */
const MOST_CALLS = 110;
/** A call at which a process crashes after it has changed some media. */
const HALFWAY = 26;
/** Calls at which a process crashes before media are uploaded, and those of them on a slow engine. */
const UPLOAD_CALLS = [4, 10, 25, 60];
const REMOTE_UPLOAD_CALLS = [10, 60];

/** What quarantines media. */
const GUARDS = ['packages/tasks/', 'services/media/src/core/', 'services/media/src/verbs/quarantine/'];

/** The media, oldest first. */
const MEDIA: readonly Media[] = [
  ...SMALL.flatMap((sha256) => [
    { sha256, user_id: USER },
    { sha256, user_id: '@b:test' },
    { sha256, user_id: null, origin: 'elsewhere' },
  ]),
  { sha256: LARGE, user_id: USER },
  ...Array.from({ length: OF_LARGE - 1 }, (_, n) => ({
    sha256: LARGE,
    user_id: '@b:test',
    safe_from_quarantine: n % PROTECTED === 0,
  })),
  { sha256: null, user_id: USER },
  { sha256: null, user_id: '@b:test' },
  ...Array.from({ length: UNRELATED }, (_, n) => ({ sha256: `unrelated${n}`, user_id: '@b:test' })),
].map((fields, n, { length }) =>
  // The ids do not have the order of the upload.
  mediumOf(`m${length - n}`, { ...fields, created_ts: n }),
);

const uriOf = ({ origin, media_id }: Media) => `mxc://${origin}/${media_id}`;

/** The media of the user, on two pages of a room. */
const URIS = MEDIA.filter(({ user_id }) => user_id === USER).map(uriOf);
const PAGES = [URIS, URIS.toReversed()];

const isOfUser = ({ sha256, user_id }: Media) =>
  sha256 === null ? user_id === USER : sha256 === LARGE || SMALL.includes(sha256);
const isLarge = ({ sha256 }: Media) => sha256 === LARGE;
const isFree = (medium: Media) => !medium.safe_from_quarantine;

const KINDS = [
  { kind: QUARANTINE_USER_MEDIA, key: USER, selects: isOfUser },
  { kind: QUARANTINE_ROOM_MEDIA, key: ROOM, selects: isOfUser },
  { kind: QUARANTINE_HASH, key: LARGE, selects: isLarge },
  { kind: UNQUARANTINE_HASH, key: LARGE, selects: isLarge },
] as const;

const CASES = stores.flatMap((offered) =>
  KINDS.map(({ selects, ...each }) => {
    const isRelease = each.kind === UNQUARANTINE_HASH;
    const stored = MEDIA.map((medium) => (isRelease ? { ...medium, quarantined_by: OTHER_ADMIN } : medium));
    // A release also concerns protected media.
    const selected = stored.filter((medium) => selects(medium) && (isRelease || isFree(medium)));
    return { ...offered, ...each, isRelease, stored, selected };
  }),
);

describe.each(CASES)('$kind $title', ({ kind, key, isRelease, stored, selected, missing, remote, open }) => {
  const request = { kind, key, params: null, requestedBy: ADMIN };

  it.skipIf(missing)(
    'is completed once, and listed and counted exactly, whenever a process crashes',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: MOST_CALLS }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          async (call, how) => {
            const { store, media, startProcess, orderUntilCrash, close } = await quarantineProcesses(
              open,
              stored,
              PAGES,
            );
            const first = await orderUntilCrash(request, call, how);
            const second = await startProcess(store);
            if ((await second.tasks.list(key, kind)).length === 0) await second.tasks.create(request);
            await second.tasks.whenIdle();
            const [task] = await second.tasks.list(key, kind);
            expect(task).toMatchObject({ state: 'complete', done: selected.length });
            const changes = await second.quarantineChanges.find({}, { sort: { _id: 1 } }).toArray();
            const listed = [...new Set(changes.map(({ media_id }) => media_id))];
            expect(listed.toSorted()).toEqual(selected.map(({ media_id }) => media_id).toSorted());
            expect(new Set(changes.map(({ quarantined }) => quarantined))).toEqual(new Set([!isRelease]));
            const isTouched = new Set(selected.map(({ _id }) => _id));
            const expected = stored.map(({ _id, quarantined_by }) =>
              isTouched.has(_id) ? [_id, isRelease ? null : ADMIN, 2] : [_id, quarantined_by, 1],
            );
            const found = await media.find({}, { sort: { created_ts: 1 } }).toArray();
            expect(found.map((each) => [each._id, each.quarantined_by, each.version])).toEqual(expected);
            for (const { tasks } of [first, second]) await tasks.close();
            await close();
          },
        ),
        { numRuns: dueRuns(remote ? 2 : 20, `crashes of ${kind}`, GUARDS) },
      );
    },
  );
});

describe.each(CASES)('$kind $title', ({ kind, key, stored, missing, open }) => {
  it.skipIf(missing)('lists the changed media when it is cancelled while it runs', async () => {
    const { store, media, startProcess, orderUntilCrash, cancel, close } = await quarantineProcesses(
      open,
      stored,
      PAGES,
    );
    onTestFinished(close);
    const order = { id: 'order', kind, key, params: null, requestedBy: ADMIN };
    const first = await orderUntilCrash(order, HALFWAY, 'after');
    await cancel(order.id, ADMIN);
    const second = await startProcess(store);
    await second.tasks.whenIdle();
    expect(await second.tasks.find(order.id)).toMatchObject({ state: 'cancelled' });
    const touched = await media.find({ version: 2 }).toArray();
    expect(touched).not.toEqual([]);
    const listed = await second.quarantineChanges.find({}).toArray();
    expect(new Set(listed.map(({ media_id }) => media_id))).toEqual(
      new Set(touched.map(({ media_id }) => media_id)),
    );
    for (const { tasks } of [first, second]) await tasks.close();
  });
});

describe.each(CASES.filter(({ key }) => key === USER))(
  '$kind $title',
  ({ kind, key, stored, selected, missing, open }) => {
    it.skipIf(missing)('completes a part that an earlier version saved', async () => {
      const { store, media, startProcess, orderUntilCrash, close } = await quarantineProcesses(
        open,
        stored,
        PAGES,
      );
      onTestFinished(close);
      const order = { id: 'order', kind, key, params: null, requestedBy: ADMIN };
      const first = await orderUntilCrash(order, HALFWAY, 'after');
      const documents = await store.collection(tasks.tasks);
      const { keys, place } = JSON.parse((await documents.findOne({ _id: order.id }))?.cursor ?? '');
      expect(keys).not.toEqual([]);
      await documents.updateOne({ _id: order.id }, { $set: { cursor: JSON.stringify({ keys, place }) } });
      const second = await startProcess(store);
      await second.tasks.whenIdle();
      expect(await second.tasks.find(order.id)).toMatchObject({ state: 'complete', done: selected.length });
      expect(await media.countDocuments({ quarantined_by: ADMIN })).toBe(selected.length);
      for (const { tasks } of [first, second]) await tasks.close();
    });
  },
);

describe.each(CASES.filter(({ key }) => key === LARGE))(
  '$kind $title',
  ({ kind, key, selected, stored, missing, open }) => {
    it.skipIf(missing)('lists the changes in the order of the upload', async () => {
      const { store, startProcess, close } = await quarantineProcesses(open, stored, PAGES);
      onTestFinished(close);
      const deps = await startProcess(store);
      const bulk = { kind, key, requestedBy: ADMIN, maxWaitMs: 60_000 };
      expect(await quarantineInBulk(deps, bulk, new AbortController().signal)).toBe(selected.length);
      const changes = await deps.quarantineChanges.find({}, { sort: { _id: 1 } }).toArray();
      expect(changes.map(({ media_id }) => media_id)).toEqual(selected.map(({ media_id }) => media_id));
      await deps.tasks.close();
    });
  },
);

describe.each(CASES.filter(({ isRelease }) => !isRelease))(
  '$kind $title',
  ({ kind, key, stored, missing, remote, open }) => {
    it.skipIf(missing)('includes media that are uploaded before it ends', async () => {
      for (const call of remote ? REMOTE_UPLOAD_CALLS : UPLOAD_CALLS) {
        const { store, media, startProcess, orderUntilCrash, close } = await quarantineProcesses(
          open,
          stored,
          PAGES,
        );
        const order = { kind, key, params: null, requestedBy: ADMIN };
        const first = await orderUntilCrash(order, call, 'after');
        const second = await startProcess(store);
        // The clocks of processes differ.
        for (const created_ts of [0, MEDIA.length])
          await insertUpload(second, mediumOf(`u${created_ts}`, { sha256: LARGE, created_ts }));
        await second.tasks.whenIdle();
        expect((await second.tasks.list(key, kind))[0]).toMatchObject({ state: 'complete' });
        expect(await media.countDocuments({ sha256: LARGE, ...READABLE })).toBe(0);
        for (const { tasks } of [first, second]) await tasks.close();
        await close();
      }
    });
  },
);

const CONTENTS = stores.map((offered) => ({ ...offered, count: offered.remote ? 1_000 : 10_000 }));

describe.each(CONTENTS)('orders for a content with $count media $title', ({ missing, open, count }) => {
  const documents = Array.from({ length: count }, (_, n) =>
    mediumOf(`m${n}`, { sha256: LARGE, created_ts: n }),
  );
  const signal = new AbortController().signal;
  const order = (kind: typeof QUARANTINE_HASH | typeof UNQUARANTINE_HASH, maxWaitMs: number) => ({
    kind,
    key: LARGE,
    requestedBy: ADMIN,
    maxWaitMs,
  });

  it.skipIf(missing)('end in the state of the last one, and the same one is waited for', async () => {
    const { store, media, startProcess, close } = await quarantineProcesses(open, documents, []);
    onTestFinished(close);
    const deps = await startProcess(store);
    const goesOn = (kind: typeof QUARANTINE_HASH | typeof UNQUARANTINE_HASH) =>
      expect(quarantineInBulk(deps, order(kind, 0), signal)).rejects.toThrow('is still running');
    await goesOn(QUARANTINE_HASH);
    await goesOn(QUARANTINE_HASH);
    await goesOn(UNQUARANTINE_HASH);
    await goesOn(QUARANTINE_HASH);
    expect(await quarantineInBulk(deps, order(QUARANTINE_HASH, 60_000), signal)).toBe(count);
    expect(await media.countDocuments({ sha256: LARGE, ...READABLE })).toBe(0);
    expect(await deps.tasks.list(LARGE, QUARANTINE_HASH)).toHaveLength(2);
    await goesOn(UNQUARANTINE_HASH);
    expect(await quarantineInBulk(deps, order(UNQUARANTINE_HASH, 60_000), signal)).toBe(count);
    expect(await media.countDocuments({ sha256: LARGE, ...QUARANTINED })).toBe(0);
    expect(await deps.tasks.list(LARGE, UNQUARANTINE_HASH)).toHaveLength(2);
    await deps.tasks.close();
  });
});
