import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { defineTask, type TaskStep } from './define-task.ts';
import { declareTasks } from './model/collections.ts';
import { NotCancellable } from './model/errors.ts';
import type { Task } from './model/task.ts';
import { Tasks } from './tasks.ts';

const KIND = 'test.steps';
const collections = declareTasks('test');

interface Params {
  readonly skip?: boolean;
  readonly end?: boolean;
}

interface Cursor {
  readonly at: number;
}

/** A service whose tasks read, perhaps write, and remove. */
async function start() {
  const store = await openSqliteStore({ path: ':memory:' });
  const engine = { clock: createFakeClock(), random: systemRandom, report: () => {} };
  const bus = await createLocalBus({ ...engine, store });
  const publisher = { outbox: { add: async () => {} }, relay: { notify() {} } };
  const tasks = await Tasks.open({ ...engine, store, collections, bus, publisher });
  onTestFinished(async () => {
    await tasks.close();
    await bus.close();
    await store.close();
  });
  const ran: unknown[] = [];
  const reading: TaskStep<Params, string> = {
    name: 'reading',
    async run(task) {
      ran.push(['reading', task.step, task.cursor()]);
      await task.save({ cursor: 'read' });
      return task.params().end ? 'end' : undefined;
    },
  };
  const writing: TaskStep<Params> = {
    name: 'writing',
    applies: (task) => !task.params().skip,
    run: async (task) => ran.push(['writing', task.step, task.cursor()]),
    compensate: async (task) => void ran.push(['compensated', task.step]),
  };
  const removing: TaskStep<Params, Cursor> = {
    name: 'removing',
    committed: true,
    cursorOf: (stored) => (typeof stored === 'number' ? { at: stored } : (stored as Cursor)),
    async run(task) {
      ran.push(['removing', task.step, task.cursor()]);
      await task.save({ cursor: { at: 1 } });
    },
  };
  const kind = defineTask<Params>(KIND, {
    steps: [reading, writing, removing],
    finish: async () => void ran.push('finished'),
  });
  const stored = await store.collection(collections.tasks);
  /** Runs a task as another release, or an earlier attempt, has left it. */
  const run = async (params: Params, left: Partial<Task> = {}) => {
    const id = await tasks.create({ kind: KIND, key: 'a', params, requestedBy: '@a:test' });
    await stored.updateOne({ _id: id }, { $set: left });
    tasks.start([kind]);
    await tasks.whenIdle();
    return { id, ended: await tasks.find(id) };
  };
  return { tasks, ran, run };
}

it('runs the steps in their order, each with its own cursor, and then finishes', async () => {
  const { ran, run } = await start();
  const { ended } = await run({});
  expect(ended).toMatchObject({ state: 'complete', step: 'removing' });
  expect(ran).toEqual([
    ['reading', '', undefined],
    ['writing', 'writing', undefined],
    ['removing', 'removing', undefined],
    'finished',
  ]);
});

it('leaves out a step that does not apply, and all others after an end', async () => {
  const skipping = await start();
  await skipping.run({ skip: true });
  expect(skipping.ran.map((each) => (each as string[])[0])).toEqual(['reading', 'removing', 'f']);
  const ending = await start();
  expect((await ending.run({ end: true })).ended).toMatchObject({ state: 'complete', step: '' });
  expect(ending.ran).toEqual([['reading', '', undefined]]);
});

it('goes on in the step that was reached, with the cursor of an earlier release in the shape of this one', async () => {
  const current = await start();
  await current.run({}, { step: 'removing', cursor: '{"at":7}' });
  expect(current.ran).toEqual([['removing', 'removing', { at: 7 }], 'finished']);
  const earlier = await start();
  await earlier.run({}, { step: 'removing', cursor: '7' });
  expect(earlier.ran).toEqual([['removing', 'removing', { at: 7 }], 'finished']);
});

it('leaves a task in a step that only a later release knows for an instance of that', async () => {
  const { ran, run } = await start();
  const { ended } = await run({}, { step: 'polishing' });
  expect(ended).toMatchObject({ state: 'scheduled', attempt: 0, step: 'polishing' });
  expect(ran).toEqual([]);
});

it('compensates for the step that was reached, and cannot be cancelled in a committed one', async () => {
  const { tasks, ran, run } = await start();
  const { ended } = await run({}, { step: 'writing', cancel: '@b:test' });
  expect(ended?.state).toBe('cancelled');
  expect(ran).toEqual([['compensated', 'writing']]);
  const { id } = await run({}, { step: 'removing', due: Number.MAX_SAFE_INTEGER });
  const left = await tasks.find(id);
  expect(left && tasks.isCommitted(left)).toBe(true);
  await expect(tasks.cancel(id, '@b:test')).rejects.toThrow(NotCancellable);
});

it('creates a task once, and waits for its end as long as it should', async () => {
  const { tasks } = await start();
  const task = { id: 'once', kind: KIND, key: 'a', params: {}, requestedBy: '@a:test' };
  expect(await tasks.createOnce(task)).toBe('once');
  expect(await tasks.createOnce(task)).toBe('once');
  expect(await tasks.list('a', KIND)).toHaveLength(1);
  expect(await tasks.endedWithin('once', 1)).toBeUndefined();
  const aborted = AbortSignal.abort(new Error('gone'));
  await expect(tasks.endedWithin('once', 60_000, aborted)).rejects.toThrow('gone');
  await tasks.cancel('once', '@b:test');
  expect(await tasks.endedWithin('once', 60_000)).toMatchObject({ state: 'cancelled' });
});
