import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ProcessStatusSchema } from '@steward/proto/steward/moderation/v1/server_status_pb.ts';
import { noProcesses } from '@steward/runtime';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { getServerStatus } from './get-server-status.ts';

const NOW = 1_000_000;

type Report = MessageInitShape<typeof ProcessStatusSchema>;

/** A process of a kind that reported just now, unless the report says otherwise. */
const report = (kind: string, own: Report = {}) =>
  create(ProcessStatusSchema, { id: kind, kind, release: '1', state: 'ready', seenTs: BigInt(NOW), ...own });

const ALL = ['user', 'room', 'media', 'moderation', 'gateway'];

/** The status of a server with these processes, beside one of each kind that they leave out. */
function statusOf(
  reports: readonly ReturnType<typeof report>[],
  { letters = async () => 0, all = ALL } = {},
) {
  const others = all.filter((kind) => !reports.some((each) => each.kind === kind));
  const server = {
    release: '1',
    schema: 1,
    store: 'mongodb',
    broker: 'nats',
    processes: { ...noProcesses, list: async () => [...others.map((kind) => report(kind)), ...reports] },
    storeVersion: async () => '8',
    deadLetters: letters,
  } as const;
  return getServerStatus({ serverName: 'test', server, clock: createFakeClock(NOW) });
}

it.each<[string, Report, readonly string[]]>([
  ['a process that is well', {}, []],
  ['a missing broker', { missing: ['broker'] }, ['broker_missing']],
  ['another release', { release: '2' }, ['releases_differ']],
  ['a fact that waits', { outboxes: [{ service: 'user', entries: 1n, oldestMs: 60_001n }] }, ['outbox_late']],
  ['facts to handle', { consumers: [{ consumer: 'room-x', pending: 1_001n }] }, ['consumers_late']],
  ['a task that waits', { tasks: { oldestWaitingMs: 600_001n } }, ['tasks_late']],
  ['a busy event loop', { eventLoopDelayMs: 501n }, ['event_loop_late']],
])('names what is degraded: %s', async (_, own, degraded) => {
  expect((await statusOf([report('user', own)])).degraded).toEqual(degraded);
});

it('counts a process as lost that no longer reports, with all that it reported', async () => {
  const lost = report('user', { id: 'lost', seenTs: BigInt(NOW - 30_001), missing: ['broker'] });
  const { processes, degraded } = await statusOf([report('user'), lost]);
  expect(processes?.map(({ id, state }) => [id, state])).toEqual([
    ['gateway', 'ready'],
    ['media', 'ready'],
    ['moderation', 'ready'],
    ['room', 'ready'],
    ['user', 'ready'],
    ['lost', 'lost'],
  ]);
  expect(degraded).toEqual(['process_lost']);
  // Without another one of its kind.
  expect((await statusOf([lost])).degraded).toEqual(['user_missing', 'process_lost']);
});

it('misses no other process in a server of one', async () => {
  const { degraded } = await statusOf([report('all-in-one')], { all: [] });
  expect(degraded).toEqual([]);
});

it('tells the number of dead letters, or that the broker does not', async () => {
  expect(await statusOf([], { letters: async () => 2 })).toMatchObject({
    deadLetters: 2n,
    degraded: ['dead_letters'],
  });
  const away = await statusOf([], { letters: () => Promise.reject(new Error('away')) });
  expect(away).not.toHaveProperty('deadLetters');
});
