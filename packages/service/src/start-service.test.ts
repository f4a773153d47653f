import { type Bus, createLocalBus, outgoing, userCreated, userDeactivated } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { openSqliteStore, type Store } from '@steward/store';
import { declareTasks } from '@steward/tasks';
import { noMeters } from '@steward/telemetry';
import { createFakeClock } from '@steward/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { consumer } from './consumer.ts';
import { type Publisher, type ServiceOptions, startService } from './start-service.ts';

const NAME = 'test';
const taskCollections = declareTasks(NAME);
const clock = createFakeClock();
const random = systemRandom;

let store: Store;
let bus: Bus;
let faults: { readonly message: string; readonly error: unknown }[];
const report = (message: string, { error }: { error?: unknown }) => void faults.push({ message, error });
beforeEach(async () => {
  faults = [];
  store = await openSqliteStore({ path: ':memory:' });
  bus = await createLocalBus({ store, clock, random, report });
});
afterEach(async () => {
  await bus.close();
  await store.close();
});

/** A service without collections, consumers and tasks. */
const nothing: ServiceOptions<object> = {
  name: NAME,
  get store() {
    return store;
  },
  get bus() {
    return bus;
  },
  clock,
  random,
  report,
  meters: noMeters,
  deps: async () => ({}),
};
const start = <D>(options: Partial<ServiceOptions<D>> & Pick<ServiceOptions<D>, 'deps'>) =>
  startService<D>({ name: NAME, store, bus, clock, random, report, meters: noMeters, ...options });

const created = (userId: string, sequence = 1) =>
  outgoing(
    userCreated,
    { userId },
    { id: `${userId}${sequence}`, timeMs: 1, aggregate: userId, sequence, traceparent: '', requester: '' },
  );

it('does nothing in the background on a store that is open for loading', async () => {
  const loading = await openSqliteStore({ path: ':memory:', loading: true });
  const ran: string[] = [];
  const service = await start<Publisher>({
    store: loading,
    deps: async ({ openPublisher, openTasks }) => {
      await openTasks(taskCollections);
      return openPublisher();
    },
    consumers: () => [
      consumer('accounts', { facts: [userCreated], handler: async () => void ran.push('consumer') }),
    ],
    sweeps: () => [{ run: async () => void ran.push('sweep'), failure: 'a sweep failed' }],
    close: () => [() => ran.push('closed')],
  });
  await service.deps.outbox.add([created('@a:test')]);
  expect(await service.deps.relay.delivered('@a:test', 5_000)).toBe(false);
  await service.close();
  expect(ran).toEqual(['closed']);
  await loading.close();
});

it('starts with only a name', async () => {
  const service = await startService(nothing);
  await service.whenIdle();
  service.drain();
  await service.close();
});

it('delivers a published fact to its own consumer before `delivered` resolves', async () => {
  const received: string[] = [];
  const service = await start<Publisher>({
    deps: async ({ openPublisher }) => openPublisher(),
    consumers: () => [
      consumer('accounts', {
        facts: [userCreated, userDeactivated],
        handler: async (event) => {
          // A handler may use the relay from the start.
          await service.deps.relay.delivered('@other:test', 1_000);
          received.push(`${event.type} ${event.fact.userId}`);
        },
      }),
    ],
  });
  const { outbox, relay } = service.deps;
  await outbox.add([created('@a:test')]);
  expect(await relay.delivered('@a:test', 5_000)).toBe(true);
  await outbox.add([created('@b:test')]);
  relay.notify();
  await service.whenIdle();
  expect(received).toEqual(['user.created @a:test', 'user.created @b:test']);
  await service.close();
  expect(faults).toEqual([]);
});

it('publishes the facts that an earlier process left, after its consumers have subscribed', async () => {
  const first = await start<Publisher>({ deps: async ({ openPublisher }) => openPublisher() });
  await first.close();
  await first.deps.outbox.add([created('@a:test')]);
  const received: string[] = [];
  const second = await start<Publisher>({
    deps: async ({ openPublisher }) => openPublisher(),
    consumers: () => [
      consumer('accounts', {
        facts: [userCreated],
        handler: async ({ aggregate }) => void received.push(aggregate),
      }),
    ],
  });
  await second.whenIdle();
  expect(received).toEqual(['@a:test']);
  await second.close();
});

it('sweeps at the start and at the interval, and reports a failing sweep while the others run', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const ran: string[] = [];
    const service = await start<object>({
      deps: async () => ({}),
      sweepIntervalMs: 1_000,
      sweeps: () => [
        {
          run: async () => {
            ran.push('failing');
            throw new Error('not now');
          },
          failure: 'it was not swept',
        },
        { run: async () => ran.push('other'), failure: 'the other was not swept', untilIdle: true },
      ],
    });
    await vi.waitFor(() => expect(ran).toEqual(['failing', 'other']));
    await service.whenIdle();
    expect(ran).toEqual(['failing', 'other', 'other']);
    vi.advanceTimersByTime(1_000);
    await vi.waitFor(() => expect(ran).toHaveLength(5));
    await service.close();
    vi.advanceTimersByTime(10_000);
    expect(ran).toHaveLength(5);
    expect(faults).toMatchObject([{ message: 'it was not swept' }, { message: 'it was not swept' }]);
  } finally {
    vi.useRealTimers();
  }
});

it('runs tasks, waits for them, and ends the waits when it is drained', async () => {
  const ran: string[] = [];
  const blocked = Promise.withResolvers<void>();
  const drained = vi.fn();
  const service = await start({
    deps: async ({ openTasks }) => ({ tasks: await openTasks(taskCollections) }),
    taskKinds: () => [
      {
        name: 'test.task',
        run: async ({ key }) => {
          if (key === 'long') await blocked.promise;
          ran.push(key);
        },
      },
    ],
    drain: drained,
  });
  const { tasks } = service.deps;
  await tasks.create({ kind: 'test.task', key: 'short', params: null, requestedBy: '@a:test' });
  await service.whenIdle();
  expect(ran).toEqual(['short']);
  const id = await tasks.create({ kind: 'test.task', key: 'long', params: null, requestedBy: '@a:test' });
  const waiting = tasks.ended(id, new AbortController().signal);
  service.drain();
  expect(await waiting).toBeUndefined();
  expect(drained).toHaveBeenCalledOnce();
  blocked.resolve();
  await service.close();
});

it('closes the other parts when one fails to close', async () => {
  const closed: string[] = [];
  const part = (name: string, error?: Error) => async () => {
    closed.push(name);
    if (error) throw error;
  };
  const failing = new Error('the part is stuck');
  const closing = Promise.withResolvers<string>();
  const service = await start<Publisher>({
    deps: async ({ openPublisher }) => openPublisher(),
    consumers: (_, signal) => {
      signal.addEventListener('abort', () => closing.resolve([...closed].join()));
      return [consumer('accounts', { facts: [userCreated], handler: async () => {} })];
    },
    close: () => [part('first', failing), part('second')],
  });
  await expect(service.close()).rejects.toBe(failing);
  expect(closed).toEqual(['first', 'second']);
  // Handlers are aborted before anything that they use is closed.
  expect(await closing.promise).toBe('');
  // The consumer is closed, too, so that its name may be used again.
  await bus.subscribe({ durable: `${NAME}-accounts`, facts: [userCreated], handler: async () => {} });
  await service.deps.outbox.add([created('@a:test')]);
  expect(await service.deps.relay.delivered('@a:test', 1_000)).toBe(false);
});

it('leaves nothing open when it cannot start', async () => {
  const closed = vi.fn(async () => {});
  const failed = start<object>({
    deps: async () => ({}),
    consumers: () => [
      consumer('accounts', { facts: [userCreated], handler: async () => {} }),
      consumer('no name', { facts: [userCreated], handler: async () => {} }),
    ],
    close: () => [closed],
  });
  await expect(failed).rejects.toThrow(TypeError);
  expect(closed).toHaveBeenCalledOnce();
  await bus.subscribe({ durable: `${NAME}-accounts`, facts: [userCreated], handler: async () => {} });
});
