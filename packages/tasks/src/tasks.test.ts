import { fromBinary } from '@bufbuild/protobuf';
import { type Bus, createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { type EventOccurred, EventOccurredSchema } from '@steward/proto/steward/event/v1/feed_pb.ts';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { Authority, Rights } from '@steward/rpc';
import { authorityOver } from '@steward/rpc/testing';
import { Conflict, openSqliteStore, type Store, Unavailable } from '@steward/store';
import { sharedStore } from '@steward/store/testing';
import { createMetrics } from '@steward/telemetry';
import { createFakeClock, type FakeClock } from '@steward/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { declareTasks } from './model/collections.ts';
import { LeaseLost, NotCancellable, TaskDeferred, TaskFailed } from './model/errors.ts';
import { Tasks } from './tasks.ts';
import type { TaskPublisher } from './work/announcer.ts';
import { KEPT_MS } from './work/ending.ts';
import { LEASE_MS, RENEWAL_INTERVAL_MS } from './work/runner.ts';
import type { RunningTask } from './work/running-task.ts';
import type { TaskKind } from './work/task-kind.ts';

const HOUR_MS = 60 * 60_000;
const KIND = 'test.work';
const COMMITTED = 'committed';
const BOSS = '@boss:test';

type Run = (task: RunningTask) => Promise<void>;

let store: Store;
let bus: Bus;
let clock: FakeClock;
let faults: unknown[];
let instances: Tasks[];
/** The events of the feed, and whether their outbox accepts them. */
let announced: EventOccurred[];
let outboxFails: boolean;

const publisher: TaskPublisher = {
  outbox: {
    async add(events) {
      if (outboxFails) throw new Unavailable('The store is away');
      announced.push(...events.map(({ fact }) => fromBinary(EventOccurredSchema, fact)));
    },
  },
  relay: { notify() {} },
};

beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  clock = createFakeClock();
  faults = [];
  instances = [];
  announced = [];
  outboxFails = false;
  bus = await createLocalBus({ store, clock, random: systemRandom, report: () => {} });
});

afterEach(async () => {
  for (const tasks of instances) await tasks.close();
  await bus.close();
  await store.close();
});

/** Starts an instance that runs tasks. It shares the store with others, unless it is the sole writer. */
async function startInstance(
  run: Run,
  options: {
    readonly soleWriter?: boolean;
    readonly compensate?: Run;
    readonly authority?: Authority;
    readonly requires?: TaskKind['requires'];
  } = {},
): Promise<Tasks> {
  const { soleWriter = false, compensate, authority, requires } = options;
  const report = (_: string, { error }: { error?: unknown }) => faults.push(error);
  const collections = declareTasks('test');
  const own = soleWriter ? store : sharedStore(store);
  const engine = { bus, publisher, clock, random: systemRandom, report };
  const tasks = await Tasks.open({ store: own, collections, ...engine, authority });
  tasks.start([
    {
      name: KIND,
      run,
      committedSteps: [COMMITTED],
      ...(compensate ? { compensate } : {}),
      ...(requires ? { requires } : {}),
    },
  ]);
  instances.push(tasks);
  return tasks;
}

const create = (tasks: Tasks, key = 'a', params: unknown = {}) =>
  tasks.create({ kind: KIND, key, params, requestedBy: '@admin:test' });

const never = new AbortController().signal;

it('a task is not begun when its giver has lost the scopes, or authority over its accounts, but completes what is committed', async () => {
  let rights: Rights = { admin: false, scopes: [Scope.ROOMS_WRITE] };
  const authority = authorityOver(new Map([[BOSS, [Scope.USERS_ERASE]]]), async () => rights);
  const ran: string[] = [];
  const tasks = await startInstance(
    async (task) => {
      ran.push(task.key);
      if (task.key !== 'committed' || task.step === COMMITTED) return;
      await task.save({ step: COMMITTED });
      rights = { admin: false };
      throw new Unavailable('Another attempt is needed');
    },
    {
      authority,
      requires: ({ key }) => ({ scopes: [Scope.ROOMS_WRITE], accounts: key === 'boss' ? [BOSS] : [] }),
    },
  );
  const outcome = async (key: string) => {
    const id = await create(tasks, key);
    await tasks.whenIdle();
    return tasks.find(id);
  };
  expect(await outcome('entitled')).toMatchObject({ state: 'complete' });
  expect(await outcome('boss')).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('users:erase'),
  });
  rights = { admin: false };
  expect(await outcome('lost')).toMatchObject({
    state: 'failed',
    error: '@admin:test, who ordered it, does not have the scope rooms:write any more',
  });
  rights = { admin: true };
  expect(await outcome('administrator')).toMatchObject({ state: 'complete' });
  const id = await create(tasks, 'committed');
  await tasks.whenIdle();
  await expect
    .poll(async () => {
      clock.advance(LEASE_MS);
      await tasks.whenIdle();
      return (await tasks.find(id))?.state;
    })
    .toBe('complete');
  expect(ran).toEqual(['entitled', 'administrator', 'committed', 'committed']);
});

it('counts what ends from 0 on for each kind, so that an alert notices the first failure', async () => {
  const meters = createMetrics({ program: 'steward', release: '1.0.0' });
  const collections = declareTasks('test');
  const engine = { bus, publisher, clock, random: systemRandom, report() {} };
  const options = { store: sharedStore(store), collections, ...engine };
  const tasks = await Tasks.open({ ...options, meters });
  instances.push(tasks);
  const run = async () => Promise.reject(new TaskFailed('It cannot succeed'));
  tasks.start([{ name: KIND, run }]);
  const failures = async () =>
    /^steward_tasks_ended_total\{kind="test.work",state="failed"\} (\d+)$/m.exec(await meters.render())?.[1];
  expect(await failures()).toBe('0');
  await create(tasks);
  await tasks.whenIdle();
  expect(await failures()).toBe('1');
});

describe('the backlog', () => {
  it('has the tasks that have not ended, by kind and state, and the age of the oldest that waits', async () => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const tasks = await startInstance(async () => {
      begun.resolve();
      await gate.promise;
    });
    expect(await tasks.backlog()).toEqual({
      open: [
        { kind: KIND, state: 'scheduled', count: 0 },
        { kind: KIND, state: 'active', count: 0 },
      ],
      oldestWaitingMs: 0,
    });
    await create(tasks, 'a');
    await begun.promise;
    clock.advance(1_000);
    const waiting = [await create(tasks, 'a'), await create(tasks, 'a')];
    clock.advance(5_000);
    expect(await tasks.backlog()).toEqual({
      open: [
        { kind: KIND, state: 'scheduled', count: 2 },
        { kind: KIND, state: 'active', count: 1 },
      ],
      oldestWaitingMs: 5_000,
    });
    gate.resolve();
    for (const id of waiting) await tasks.ended(id, never);
    expect((await tasks.backlog()).open.every(({ count }) => count === 0)).toBe(true);
  });
});

describe('a task', () => {
  it('runs at once, and is kept for a day after its end', async () => {
    const tasks = await startInstance(async (task) => {
      await task.addPart(1, 'second');
      await task.addPart(0, 'first');
      await task.addPart(0, 'again');
      await task.save({ result: task.params(), done: 2, total: 2 });
    });
    const id = await create(tasks, 'a', { x: 1 });
    expect(await tasks.ended(id, never)).toMatchObject({ state: 'complete', result: '{"x":1}', done: 2 });
    expect(await Array.fromAsync(tasks.parts(id))).toEqual(['first', 'second']);
    clock.advance(KEPT_MS - 1);
    expect(await tasks.list('a', KIND)).toHaveLength(1);
    clock.advance(1);
    expect(await tasks.find(id)).toBeUndefined();
    expect(await tasks.list('a', KIND)).toEqual([]);
  });

  it('a task is created once with an id', async () => {
    const tasks = await startInstance(async () => {});
    const task = { id: 'x', kind: KIND, key: 'a', params: {}, requestedBy: '' };
    await tasks.create(task);
    await expect(tasks.create(task)).rejects.toThrow(Conflict);
  });

  it('fails when it throws TaskFailed', async () => {
    const tasks = await startInstance(() => Promise.reject(new TaskFailed('cannot be')));
    const ended = await tasks.ended(await create(tasks), never);
    expect(ended).toMatchObject({ state: 'failed', error: 'cannot be' });
    expect(faults).toEqual([]);
  });

  it('a task is tried again from its last checkpoint after any other error', async () => {
    const steps: string[] = [];
    const tasks = await startInstance(async (task) => {
      steps.push(task.step);
      await task.save({ step: 'second', cursor: [1] });
      if (steps.length === 1) throw new Error('not now');
      expect(task.cursor()).toEqual([1]);
    });
    const id = await create(tasks);
    await tasks.whenIdle();
    expect(await tasks.find(id)).toMatchObject({ state: 'scheduled' });
    clock.advance(HOUR_MS);
    await tasks.whenIdle();
    expect(await tasks.find(id)).toMatchObject({ state: 'complete' });
    expect(steps).toEqual(['', 'second']);
    expect(faults).toHaveLength(1);
  });

  it('goes on later, however often it is deferred, and none of it is a fault', async () => {
    let attempts = 0;
    const tasks = await startInstance(async () => {
      if (++attempts <= 30) throw new TaskDeferred(1_000);
    });
    const id = await create(tasks);
    for (let second = 0; second < 30; second++) {
      await tasks.whenIdle();
      expect(await tasks.find(id)).toMatchObject({ state: 'scheduled' });
      clock.advance(1_000);
    }
    await tasks.whenIdle();
    expect(await tasks.find(id)).toMatchObject({ state: 'complete' });
    expect(faults).toEqual([]);
  });

  it('fails after too many attempts without progress', async () => {
    let attempts = 0;
    const tasks = await startInstance(async () => {
      attempts++;
      throw new Error('never');
    });
    const id = await create(tasks);
    for (let hours = 0; hours < 30; hours++) {
      await tasks.whenIdle();
      clock.advance(HOUR_MS);
    }
    expect(attempts).toBe(20);
    await tasks.whenIdle();
    expect(await tasks.find(id)).toMatchObject({ state: 'failed' });
  });
});

describe('the feed', () => {
  const eventsOf = (id: string) =>
    announced.filter(({ taskId }) => taskId === id).map(({ type, dataJson }) => [type, JSON.parse(dataJson)]);

  it('has the milestones of a task, and its progress at most once a second', async () => {
    const tasks = await startInstance(async (task) => {
      for (const [done, ms] of [
        [1, 0],
        [2, 600],
        [3, 600],
        [3, 2_000],
        [4, 100],
        [5, 100],
      ] as const) {
        clock.advance(ms);
        await task.save({ done, total: 9 });
      }
    });
    const id = await create(tasks);
    await tasks.whenIdle();
    expect(eventsOf(id)).toEqual([
      ['task.created', { kind: KIND }],
      ['task.started', { kind: KIND }],
      ['task.progressed', { kind: KIND, done: 3, total: 9 }],
      ['task.progressed', { kind: KIND, done: 4, total: 9 }],
      ['task.completed', { kind: KIND, done: 5 }],
    ]);
    expect(announced[0]).toMatchObject({ actor: '@admin:test', targets: [id, 'a'] });
  });

  it('says why a task failed, and which was cancelled', async () => {
    const tasks = await startInstance(() => Promise.reject(new TaskFailed('cannot be')));
    const failed = await create(tasks);
    await tasks.whenIdle();
    expect(eventsOf(failed).at(-1)).toEqual(['task.failed', { kind: KIND, done: 0, error: 'cannot be' }]);
    const gate = Promise.withResolvers<void>();
    const others = await startInstance(() => gate.promise);
    await create(others, 'b');
    const waiting = await create(others, 'b');
    await others.cancel(waiting, BOSS);
    gate.resolve();
    expect(eventsOf(waiting)).toEqual([
      ['task.created', { kind: KIND }],
      ['task.cancelled', { kind: KIND, done: 0 }],
    ]);
  });

  it('gets what was not announced at the next start', async () => {
    outboxFails = true;
    const tasks = await startInstance(async () => {});
    const id = await create(tasks);
    await tasks.whenIdle();
    expect(announced).toEqual([]);
    outboxFails = false;
    await startInstance(async () => {});
    await expect
      .poll(() => eventsOf(id).map(([type]) => type))
      .toEqual(['task.created', 'task.started', 'task.completed']);
    // What was announced is not announced again.
    await expect.poll(() => tasks.find(id)).toMatchObject({ unannounced: [] });
  });
});

describe('cancellation', () => {
  const cancelled = { state: 'cancelled', error: `Cancelled by ${BOSS}`, finished_ts: expect.any(Number) };
  /** Saves one checkpoint after the other until it must stop. */
  const endless: Run = async (task) => {
    for (let done = 1; ; done++) await task.save({ done });
  };
  const progress = async (tasks: Tasks, id: string) => (await tasks.find(id))?.done ?? 0;

  it('ends a waiting task at once, and the next one runs', async () => {
    const tasks = await startInstance(async (task) => {
      if (task.params() === 'first') await endless(task);
    });
    const first = await create(tasks, 'a', 'first');
    clock.advance(1);
    const [second, third] = [await create(tasks), await create(tasks)];
    await expect.poll(() => progress(tasks, first)).toBeGreaterThan(0);
    expect(await tasks.cancel(second, BOSS)).toMatchObject(cancelled);
    expect(await tasks.cancel(second, '@other:test')).toMatchObject(cancelled);
    expect(await tasks.cancel(first, BOSS)).toMatchObject({ state: 'active', cancel: BOSS });
    expect(await tasks.ended(first, never)).toMatchObject(cancelled);
    expect(await tasks.ended(third, never)).toMatchObject({ state: 'complete' });
    expect(await tasks.find(second)).not.toHaveProperty('started_ts');
    expect(faults).toEqual([]);
  });

  it('ends a task that waits for another attempt, and one whose process crashed before it stopped', async () => {
    const held = Promise.withResolvers<void>();
    const tasks = await startInstance(async (task) => {
      if (task.key === 'failing') throw new Error('not now');
      await held.promise;
    });
    const failing = await create(tasks, 'failing');
    await tasks.whenIdle();
    expect(await tasks.cancel(failing, BOSS)).toMatchObject(cancelled);
    const stuck = await create(tasks, 'stuck');
    await expect.poll(async () => (await tasks.find(stuck))?.state).toBe('active');
    await tasks.cancel(stuck, BOSS);
    const next = await startInstance(endless);
    clock.advance(LEASE_MS);
    await next.whenIdle();
    expect(await next.find(stuck)).toMatchObject(cancelled);
    held.resolve();
  });

  it('waits for the compensation, which is tried until it succeeds', async () => {
    const compensated: unknown[] = [];
    const compensate: Run = async (task) => {
      compensated.push([task.key, task.cursor()]);
      if (compensated.length === 1) throw new Error('not now');
    };
    const work: Run = async (task) => {
      await task.save({ cursor: 'begun' });
      if (task.key === 'failing') throw new Error('not now');
      await endless(task);
    };
    const tasks = await startInstance(work, { compensate });
    const failing = await create(tasks, 'failing');
    await tasks.whenIdle();
    expect(await tasks.cancel(failing, BOSS)).toMatchObject({ state: 'scheduled', cancel: BOSS });
    expect(await tasks.ended(failing, never)).toMatchObject(cancelled);
    const waiting = await create(tasks, 'endless');
    const behind = await create(tasks, 'endless');
    await expect.poll(() => progress(tasks, waiting)).toBeGreaterThan(0);
    expect(await tasks.cancel(behind, BOSS)).toMatchObject(cancelled);
    await tasks.cancel(waiting, BOSS);
    expect(await tasks.ended(waiting, never)).toMatchObject(cancelled);
    expect(compensated).toEqual([
      ['failing', 'begun'],
      ['failing', 'begun'],
      ['endless', 'begun'],
    ]);
  });

  it('cancellation is refused after the end of a task, and at a committed step', async () => {
    const released = Promise.withResolvers<void>();
    const tasks = await startInstance(async (task) => {
      await task.save({ step: COMMITTED });
      await released.promise;
    });
    const id = await create(tasks);
    await expect.poll(async () => (await tasks.find(id))?.step).toBe(COMMITTED);
    await expect(tasks.cancel(id, BOSS)).rejects.toThrow(NotCancellable);
    released.resolve();
    expect(await tasks.ended(id, never)).toMatchObject({ state: 'complete' });
    await expect(tasks.cancel(id, BOSS)).rejects.toThrow(NotCancellable);
    expect(await tasks.cancel('nothing', BOSS)).toBeUndefined();
  });
});

describe('several instances', () => {
  it('run the tasks of a key one after the other, and those of different keys side by side', async () => {
    const log: string[] = [];
    const running = new Set<string>();
    const work: Run = async (task) => {
      expect(running.has(task.key)).toBe(false);
      running.add(task.key);
      for (let n = 0; n < 5; n++) await task.save({ done: n });
      running.delete(task.key);
      log.push(`${task.key}${task.params()}`);
    };
    const [one, two] = [await startInstance(work), await startInstance(work)];
    for (let n = 0; n < 5; n++) {
      clock.advance(1);
      for (const key of ['a', 'b', 'c']) await create(n % 2 ? one : two, key, n);
    }
    await one.whenIdle();
    await two.whenIdle();
    await one.whenIdle();
    for (const key of ['a', 'b', 'c']) {
      const order = log.filter((entry) => entry.startsWith(key));
      expect(order).toEqual([0, 1, 2, 3, 4].map((n) => `${key}${n}`));
    }
    expect(faults).toEqual([]);
  });

  it('take over from one that does not renew its lease, whose writes then fail', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const outcome = Promise.withResolvers<unknown>();
    const stuck = await startInstance(async (task) => {
      await task.save({ step: 'begun' });
      await released;
      await task.save({ step: 'late' }).catch((error) => outcome.resolve([error, task.signal.aborted]));
    });
    const id = await create(stuck);
    await expect.poll(async () => (await stuck.find(id))?.step).toBe('begun');
    const seen: string[] = [];
    const next = await startInstance(async (task) => void seen.push(task.step));
    await next.whenIdle();
    expect(seen).toEqual([]);
    clock.advance(LEASE_MS);
    await next.whenIdle();
    release();
    expect(await outcome.promise).toEqual([expect.any(LeaseLost), true]);
    expect(seen).toEqual(['begun']);
    expect(await next.find(id)).toMatchObject({ state: 'complete', step: 'begun' });
  });

  it('do not take over from one that renews its lease', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const released = Promise.withResolvers<void>();
    const busy = await startInstance(() => released.promise);
    const id = await create(busy);
    await expect.poll(async () => (await busy.find(id))?.state).toBe('active');
    const next = await startInstance(() => Promise.reject(new TaskFailed('taken away')));
    for (let waitedMs = 0; waitedMs <= 2 * LEASE_MS; waitedMs += RENEWAL_INTERVAL_MS) {
      const heldUntil = (await busy.find(id))?.due ?? 0;
      clock.advance(RENEWAL_INTERVAL_MS);
      vi.advanceTimersByTime(RENEWAL_INTERVAL_MS);
      await expect.poll(async () => (await busy.find(id))?.due).toBeGreaterThan(heldUntil);
      await next.whenIdle();
    }
    released.resolve();
    expect(await busy.ended(id, never)).toMatchObject({ state: 'complete' });
  });

  it('take over at once from one that closes', async () => {
    const first = await startInstance(async (task) => {
      await new Promise((resolve) => task.signal.addEventListener('abort', resolve));
      task.signal.throwIfAborted();
    });
    const id = await create(first);
    await expect.poll(async () => (await first.find(id))?.state).toBe('active');
    await first.close();
    const next = await startInstance(async () => {});
    expect(await next.ended(id, never)).toMatchObject({ state: 'complete' });
  });
});

it('resumes at once the tasks of a crashed process, as the sole writer of the store', async () => {
  const crashed = await startInstance(async (task) => {
    await task.save({ step: 'begun' });
    await new Promise((resolve) => task.signal.addEventListener('abort', resolve));
  });
  const id = await create(crashed);
  await expect.poll(async () => (await crashed.find(id))?.step).toBe('begun');
  const seen: string[] = [];
  const next = await startInstance(async (task) => void seen.push(task.step), { soleWriter: true });
  expect(await next.ended(id, never)).toMatchObject({ state: 'complete' });
  expect(seen).toEqual(['begun']);
});
