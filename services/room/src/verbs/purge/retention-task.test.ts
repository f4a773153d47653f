import { createHash } from 'node:crypto';
import { createClient } from '@connectrpc/connect';
import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { ImportService } from '@steward/proto/steward/room/v1/import_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { createLocalTransport } from '@steward/rpc';
import { openSqliteStore } from '@steward/store';
import { type OfferedStore, stores } from '@steward/store/testing';
import { BY_SERVER } from '@steward/tasks';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tasks } from '../../core/collections.ts';
import { PURGE_HISTORY } from '../../core/model/history-purge.ts';
import { collectionsOf } from '../../fixtures/recount.ts';
import { startTestService, type TestService } from '../../fixtures/test-service.ts';
import { MESSAGE_RETENTION } from './retention-task.ts';

const ALICE = '@alice:test';
const DAY_MS = 24 * 60 * 60_000;
const MESSAGES = 2;

async function prepare(open: OfferedStore['open']) {
  const { store, drop } = await open();
  const busStore = await openSqliteStore({ path: ':memory:' });
  const clock = createFakeClock();
  const bus = await createLocalBus({ store: busStore, clock, random: systemRandom });
  onTestFinished(async () => {
    await bus.close();
    await busStore.close();
    await drop();
  });
  const taskDocuments = await store.collection(tasks.tasks);
  const start = (retention: object) => startTestService({ store, bus, clock, retention });
  return {
    clock,
    events: (await collectionsOf(store)).events,
    start,
    /** Starts a service, until the task of the current day has ended. */
    async runOnce(retention: object): Promise<void> {
      const service = await start(retention);
      const today = {
        _id: `${MESSAGE_RETENTION}.${Math.floor(clock.now() / DAY_MS)}`,
        state: 'complete',
      } as const;
      await expect.poll(() => taskDocuments.countDocuments(today), { timeout: 60_000 }).toBe(1);
      await service.close();
      expect(service.faults).toEqual([]);
    },
    tasksOf: (kind: string) => taskDocuments.find({ kind }, { sort: { key: 1, _id: 1 } }).toArray(),
  };
}

async function send(service: TestService, roomId: string, text: string): Promise<void> {
  const client = service.client(EventService, ALICE);
  for (let n = 0; n < MESSAGES; n++) {
    await client.sendEvent({
      roomId,
      eventType: 'm.x',
      txnId: `${text}${n}`,
      content: JSON.stringify({ text }),
    });
  }
}

/** Imports a room with messages, each of which has the depth and the time of its receipt. */
async function importRoom(
  service: TestService,
  roomId: string,
  messages: readonly {
    readonly depth: number;
    readonly received: number;
    readonly text: string;
    readonly softFailed?: boolean;
  }[],
): Promise<void> {
  const importer = createClient(ImportService, createLocalTransport(service.service.routes));
  const idOf = (n: number) => `$${createHash('sha256').update(`${roomId}${n}`).digest('base64url')}`;
  const common = { room_id: roomId, sender: ALICE, origin_server_ts: 1, auth_events: [], hashes: {} };
  const state = [
    { type: 'm.room.create', state_key: '', content: { creator: ALICE, room_version: '10' } },
    { type: 'm.room.member', state_key: ALICE, content: { membership: 'join' } },
  ];
  const events = [
    ...state.map((event, n) => ({ ...event, depth: n + 1, received_ts: 1 })),
    ...messages.map(({ depth, received, text, softFailed = false }) => ({
      type: 'm.x',
      content: { text },
      depth,
      received_ts: received,
      soft_failed: softFailed,
    })),
  ].map((event, n) => ({
    ...common,
    ...event,
    event_id: idOf(n),
    prev_events: n === 0 ? [] : [idOf(n - 1)],
  }));
  const room = { roomId, creator: ALICE, roomVersion: '10', createdTs: 1n };
  expect(await importer.importRooms({ rooms: [room] })).toMatchObject({ problems: [] });
  const records = events.map((event) => JSON.stringify(event));
  expect(await importer.importEvents({ events: records })).toMatchObject({ problems: [] });
}

describe.each(stores)('the retention of messages $title', ({ missing, open }) => {
  it.skipIf(missing)(
    'purges what is too old in each room, and nothing else',
    { timeout: 240_000 },
    async () => {
      const { clock, events, start, runOnce, tasksOf } = await prepare(open);
      const service = await start({});
      const create = async () => (await service.client(RoomService, ALICE).createRoom({})).roomId;
      const [busy, quiet, longer, kept] = [
        await create(),
        await create(),
        await create(),
        await create(),
      ] as const;
      for (const room of [busy, quiet, longer, kept]) await send(service, room, 'old');
      clock.advance(10 * DAY_MS);
      for (const room of [busy, longer, kept]) await send(service, room, 'new');
      await service.close();
      expect(await tasksOf(MESSAGE_RETENTION)).toEqual([]);

      const textsIn = async (room: string) => {
        const messages = await events
          .find({ room_id: room, type: 'm.x' }, { sort: { arrival: 1 } })
          .toArray();
        return messages.map(({ json }) => JSON.parse(json).content.text);
      };
      const rooms = { [longer]: 11 * DAY_MS, [kept]: 'forever', '!gone:test': DAY_MS };
      const settings = { messages: { max_age_ms: 5 * DAY_MS, rooms } };
      await runOnce(settings);
      expect(await textsIn(busy)).toEqual(['new', 'new']);
      // The newest event of a room stays.
      expect(await textsIn(quiet)).toEqual(['old']);
      for (const room of [longer, kept]) expect(await textsIn(room)).toEqual(['old', 'old', 'new', 'new']);
      const state = await events.countDocuments({ room_id: busy, type: 'm.room.create' });
      expect(state).toBe(1);
      const purged = (await tasksOf(PURGE_HISTORY)).map(({ key, requested_by }) => ({ key, requested_by }));
      expect(purged).toEqual([busy, quiet].sort().map((key) => ({ key, requested_by: BY_SERVER })));
      // A restart within the interval runs nothing, and days without the server are made up for by one run.
      await runOnce(settings);
      clock.advance(3 * DAY_MS);
      await runOnce(settings);
      expect(await textsIn(longer)).toEqual(['new', 'new']);
      expect(await tasksOf(MESSAGE_RETENTION)).toHaveLength(1);
      expect((await tasksOf(PURGE_HISTORY)).map(({ key }) => key)).toEqual([longer]);
    },
  );

  it.skipIf(missing)('of single rooms leaves the others', { timeout: 240_000 }, async () => {
    const { clock, events, start, runOnce } = await prepare(open);
    const service = await start({});
    const create = async () => (await service.client(RoomService, ALICE).createRoom({})).roomId;
    const [room, other] = [await create(), await create()] as const;
    for (const each of [room, other]) await send(service, each, 'old');
    await service.close();
    clock.advance(10 * DAY_MS);
    await runOnce({ messages: { rooms: { [room]: 5 * DAY_MS } } });
    const messagesIn = (each: string) => events.countDocuments({ room_id: each, type: 'm.x' });
    expect([await messagesIn(room), await messagesIn(other)]).toEqual([1, MESSAGES]);
  });

  it.skipIf(missing)(
    'keeps what is not too old of an imported room, whose events may be in any order',
    { timeout: 240_000 },
    async () => {
      const { clock, events, start, runOnce } = await prepare(open);
      clock.advance(100 * DAY_MS);
      const service = await start({});
      const [room, ended] = ['!imported:test', '!ended:test'];
      const [old, young] = [clock.now() - 10 * DAY_MS, clock.now() - DAY_MS];
      const before = [
        { depth: 3, received: old, text: 'old' },
        // Without a time of receipt a record has that of the sender's server, which can be wrong.
        { depth: 4, received: clock.now() + 1_000 * DAY_MS, text: 'future' },
      ];
      const among = Array.from({ length: 300 }, (_, n) => ({ depth: 6 + n, received: old, text: 'among' }));
      const kept = [
        { depth: 5, received: young, text: 'early' },
        ...among,
        { depth: 306, received: young, text: 'young' },
        { depth: 307, received: young, text: 'young' },
        // Of another branch, which arrived late.
        { depth: 8, received: young, text: 'late' },
        { depth: 308, received: young, text: 'newest' },
      ];
      await importRoom(service, room, [...before, ...kept]);
      const last = [
        { depth: 4, received: old, text: 'newest' },
        // What no user sees is not the newest message.
        { depth: 9, received: old, text: 'hidden', softFailed: true },
      ];
      await importRoom(service, ended, [{ depth: 3, received: old, text: 'old' }, ...last]);
      await service.close();
      await runOnce({ messages: { max_age_ms: 5 * DAY_MS } });
      for (const [id, expected] of [
        [room, kept],
        [ended, last],
      ] as const) {
        const left = await events.find({ room_id: id, type: 'm.x' }, { sort: { arrival: 1 } }).toArray();
        expect(left.map(({ json }) => JSON.parse(json).content.text)).toEqual(
          expected.map(({ text }) => text),
        );
      }
    },
  );
});
