import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { insertAggregates, openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { type CrashPoint, crashableStore, sharedStore } from '@steward/store/testing';
import { Tasks } from '@steward/tasks';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collections, tasks } from '../../core/collections.ts';
import { findableOf, type Media, uriOf } from '../../core/model/media.ts';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { MEDIA_ORDER, type MediaOrder, type OrderParams, orderTask } from './order-task.ts';

const ADMIN = '@admin:test';

/** Longer than a lease, in milliseconds. */
const LEASE_MS = 5 * 60_000;

/** More media than two parts, every fifth of another type. */
const MEDIA = Array.from({ length: 70 }, (_, n): Media => {
  const fields = mediumOf(`m${n}`, {
    type: n % 5 === 0 ? 'text/plain' : 'image/png',
    created_ts: n,
    length: 10,
    quarantined_by: n % 7 === 0 ? ADMIN : null,
    safe_from_quarantine: n % 6 === 0,
    shown: n % 2 === 0,
  });
  return { ...fields, ...findableOf(fields) };
});

async function prepare(shownNow: readonly string[] = []) {
  const store = await openSqliteStore({ path: ':memory:' });
  const busStore = await openSqliteStore({ path: ':memory:' });
  const clock = createFakeClock();
  const engine = { clock, random: systemRandom, report: () => {} };
  const bus = await createLocalBus({ ...engine, store: busStore });
  onTestFinished(async () => {
    await bus.close();
    await busStore.close();
    await store.close();
  });
  const start = async (itsStore: Store) => {
    const opened = await Tasks.open({
      ...engine,
      store: sharedStore(itsStore),
      collections: tasks,
      bus,
      publisher: { outbox: { add: async () => {} }, relay: { notify() {} } },
    });
    const deps = await machineOn(itsStore, { clock, tasks: opened, rooms: { shown: async () => shownNow } });
    opened.start([orderTask(deps)]);
    return deps;
  };
  const { media } = await openCollections(store, collections);
  await insertAggregates(media, MEDIA);
  return { store, start, clock };
}

const newTask = (order: MediaOrder, selector: OrderParams['selector']) => ({
  kind: MEDIA_ORDER,
  key: MEDIA_ORDER,
  params: { order, selector } satisfies OrderParams,
  requestedBy: ADMIN,
});

const images = MEDIA.filter(({ type }) => type === 'image/png');
const idsOf = (media: readonly Media[]) => media.map(({ _id }) => _id).sort();

describe('an order about media', () => {
  const ofAll = async (order: MediaOrder, selector: OrderParams['selector'] = { type: 'image/*' }) => {
    const { store, start } = await prepare();
    const deps = await start(store);
    const id = await deps.tasks.create(newTask(order, selector));
    await deps.tasks.whenIdle();
    return { task: await deps.tasks.find(id), media: await deps.media.find({}).toArray() };
  };

  it.each([
    ['quarantine', (m: Media) => m.quarantined_by !== null, (m: Media) => !m.safe_from_quarantine],
    ['release', (m: Media) => m.quarantined_by === null, () => true],
    ['protect', (m: Media) => m.safe_from_quarantine && m.is_protected === true, () => true],
    ['unprotect', (m: Media) => !m.safe_from_quarantine && m.is_protected === undefined, () => true],
  ] as const)('%s changes what the selector finds, and nothing else', async (order, isSo, concerns) => {
    const { task, media } = await ofAll(order);
    expect(task).toMatchObject({ state: 'complete', done: images.length, total: images.length });
    const before = new Map(MEDIA.map((each) => [each._id, each]));
    for (const medium of media) {
      const was = before.get(medium._id) ?? medium;
      const isConcerned = medium.type === 'image/png' && concerns(was);
      expect([medium._id, isSo(medium)]).toEqual([medium._id, isConcerned || isSo(was)]);
      expect(medium.is_quarantined === true).toBe(medium.quarantined_by !== null);
    }
  });

  it('looks up what a room shows once to count, and once to change it', async () => {
    const { store, start } = await prepare();
    const deps = await start(store);
    let lookUps = 0;
    const shownIn = async () => {
      lookUps++;
      return MEDIA.map(uriOf);
    };
    Object.assign(deps, { rooms: { ...deps.rooms, shownIn } });
    const id = await deps.tasks.create(newTask('delete', { roomId: '!room:test', type: 'image/*' }));
    await deps.tasks.whenIdle();
    expect(await deps.tasks.find(id)).toMatchObject({ state: 'complete', done: images.length });
    expect(await deps.media.countDocuments({ type: 'image/png' })).toBe(0);
    expect(lookUps).toBe(2);
  });

  it('leaves out media that no longer match when they are deleted', async () => {
    const { store, start } = await prepare(['mxc://test/m1', 'mxc://test/m3']);
    const deps = await start(store);
    await deps.tasks.create(newTask('delete', { orphaned: true }));
    await deps.tasks.whenIdle();
    const left = await deps.media.find({}).toArray();
    const shown = MEDIA.filter((medium, n) => medium.shown || n === 1 || n === 3);
    expect(idsOf(left)).toEqual(idsOf(shown));
  });

  it.each(['quarantine', 'delete'] as const)(
    '%s is completed whenever its process crashes',
    async (order) => {
      for (const [call, how] of [
        [4, 'after'],
        [9, 'before'],
        [15, 'during'],
        [22, 'after'],
        [33, 'during'],
        [60, 'before'],
      ] as const satisfies readonly (readonly [number, CrashPoint])[]) {
        const { store, start, clock } = await prepare();
        const crashable = crashableStore(store);
        const first = await start(crashable.store);
        crashable.crashAt(call, how);
        await first.tasks.create(newTask(order, { type: 'image/*' })).catch(() => {});
        await first.tasks.whenIdle().catch(() => {});
        clock.advance(LEASE_MS);
        const second = await start(store);
        if ((await second.tasks.list(MEDIA_ORDER, MEDIA_ORDER)).length === 0)
          await second.tasks.create(newTask(order, { type: 'image/*' }));
        await second.tasks.whenIdle();
        const [task] = await second.tasks.list(MEDIA_ORDER, MEDIA_ORDER);
        expect(task).toMatchObject({ state: 'complete', done: images.length });
        const left = await second.media.find({ type: 'image/png' }).toArray();
        const isDone = (medium: Media) =>
          order === 'quarantine' && (medium.safe_from_quarantine || medium.quarantined_by !== null);
        expect(left.filter((medium) => !isDone(medium))).toEqual([]);
        expect(await second.media.countDocuments({ type: 'text/plain' })).toBe(MEDIA.length - images.length);
      }
    },
  );
});
