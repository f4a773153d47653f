import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { openSqliteStore } from '@steward/store';
import { sharedStore, stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEachInterval } from './create-each-interval.ts';
import { declareTasks } from './model/collections.ts';
import { BY_SERVER } from './model/task.ts';
import { Tasks } from './tasks.ts';

const HOUR_MS = 60 * 60_000;
const TASK = { kind: 'test.each_hour', intervalMs: HOUR_MS, params: { n: 1 } };

describe.each(stores)('tasks of intervals $title', ({ missing, open }) => {
  it.skipIf(missing)(
    'tasks of intervals are created once by all instances, and not while an earlier one runs',
    async () => {
      const { store, drop } = await open();
      const busStore = await openSqliteStore({ path: ':memory:' });
      const clock = createFakeClock();
      const engine = { clock, random: systemRandom, report: expect.unreachable };
      const bus = await createLocalBus({ ...engine, store: busStore });
      onTestFinished(async () => {
        await bus.close();
        await busStore.close();
        await drop();
      });
      const openTasks = () =>
        Tasks.open({
          ...engine,
          store: sharedStore(store),
          collections: declareTasks('test'),
          bus,
          publisher: { outbox: { add: async () => {} }, relay: { notify() {} } },
        });
      const instances = [await openTasks(), await openTasks(), await openTasks()];
      const [first] = instances as [Tasks, Tasks, Tasks];
      const createAll = () => Promise.all(instances.map((tasks) => createEachInterval(tasks, clock, TASK)));
      const created = () => first.list(TASK.kind, TASK.kind);

      await createAll();
      await createAll();
      expect(await created()).toMatchObject([{ requested_by: BY_SERVER, params: '{"n":1}' }]);
      clock.advance(HOUR_MS);
      await createAll();
      expect(await created()).toHaveLength(1);
      let runs = 0;
      first.start([{ name: TASK.kind, run: async () => void runs++ }]);
      await first.whenIdle();
      await createAll();
      await first.whenIdle();
      // Three intervals that no instance saw are one.
      clock.advance(3 * HOUR_MS);
      await createAll();
      await first.whenIdle();
      await createAll();
      expect(runs).toBe(3);
      await first.close();
    },
  );

  it.skipIf(missing)(
    'tasks of intervals are refused for intervals that are longer than ended tasks are kept',
    async () => {
      const task = { ...TASK, intervalMs: 25 * HOUR_MS };
      await expect(createEachInterval({} as Tasks, createFakeClock(), task)).rejects.toThrow(RangeError);
    },
  );
});
