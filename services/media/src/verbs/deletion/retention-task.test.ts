import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { insertAggregates } from '@steward/service';
import { openSqliteStore } from '@steward/store';
import { sharedStore, stores } from '@steward/store/testing';
import { BY_SERVER, Tasks } from '@steward/tasks';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tasks } from '../../core/collections.ts';
import type { Media } from '../../core/model/media.ts';
import { machineOn } from '../../fixtures/machine-on.ts';
import { mediumOf } from '../../fixtures/medium.ts';
import { MEDIA_RETENTION, mediaRetentionTask, scheduleMediaRetention } from './retention-task.ts';

const DAY_MS = 24 * 60 * 60_000;
const LOCAL_MS = 5 * DAY_MS;
const REMOTE_MS = 20 * DAY_MS;

describe.each(stores)('the retention of media $title', ({ missing, open }) => {
  it.skipIf(missing)('deletes what was not used for too long, and nothing else', async () => {
    const { store, drop } = await open();
    const busStore = await openSqliteStore({ path: ':memory:' });
    const clock = createFakeClock();
    const engine = { clock, random: systemRandom, report: expect.unreachable };
    const bus = await createLocalBus({ ...engine, store: busStore });
    const opened = await Tasks.open({
      ...engine,
      store: sharedStore(store),
      collections: tasks,
      bus,
      publisher: { outbox: { add: async () => {} }, relay: { notify() {} } },
    });
    onTestFinished(async () => {
      await opened.close();
      await bus.close();
      await busStore.close();
      await drop();
    });
    const removed: string[] = [];
    const deps = await machineOn(store, {
      clock,
      tasks: opened,
      accessTimes: { flush: async () => {} },
      users: { displaynames: async () => new Map(), avatarsInUse: async () => ['mxc://test/face'] },
      rooms: { avatarsInUse: async () => ['mxc://test/logo'] },
      blobs: { delete: async (key: string) => void removed.push(key) },
    });
    deps.tasks.start([mediaRetentionTask(deps)]);
    const now = clock.now();
    const old = now - 10 * DAY_MS;
    const local = (id: string, fields: Partial<Media> = {}) =>
      mediumOf(id, { user_id: '@a:test', created_ts: old, blob: id, ...fields });
    const remote = (id: string, fields: Partial<Media> = {}) =>
      local(id, { origin: 'elsewhere', user_id: null, created_ts: now - 30 * DAY_MS, ...fields });
    await insertAggregates(deps.media, [
      local('old'),
      local('empty', { length: 0 }),
      local('new', { created_ts: now - DAY_MS }),
      local('used', { last_access_ts: now - DAY_MS }),
      local('face'),
      local('logo'),
      local('quarantined', { quarantined_by: '@admin:test' }),
      local('protected', { safe_from_quarantine: true }),
      remote('remote_old'),
      remote('remote_used', { last_access_ts: now - 19 * DAY_MS }),
      remote('remote_quarantined', { quarantined_by: '@admin:test' }),
    ]);
    const left = async () => (await deps.media.find({}).toArray()).map(({ media_id }) => media_id).sort();
    const all = await left();

    const off = { intervalMs: DAY_MS, localMaxUnusedMs: undefined, remoteMaxUnusedMs: undefined };
    await scheduleMediaRetention(deps, off);
    await deps.tasks.whenIdle();
    expect(await deps.tasks.list(MEDIA_RETENTION, MEDIA_RETENTION)).toEqual([]);
    await scheduleMediaRetention(deps, { ...off, localMaxUnusedMs: LOCAL_MS, remoteMaxUnusedMs: REMOTE_MS });
    await deps.tasks.whenIdle();
    const gone = ['empty', 'old', 'remote_old'];
    expect(await left()).toEqual(all.filter((id) => !gone.includes(id)));
    expect(removed).toEqual(expect.arrayContaining(gone));
    expect(await deps.tasks.list(MEDIA_RETENTION, MEDIA_RETENTION)).toMatchObject([
      { state: 'complete', done: gone.length, requested_by: BY_SERVER },
    ]);
  });
});
