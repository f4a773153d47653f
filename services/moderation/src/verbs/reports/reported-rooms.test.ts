import { create } from '@bufbuild/protobuf';
import { RoomPurgedSchema } from '@steward/proto/steward/event/v1/room_pb.ts';
import { ListEventReportsRequestSchema } from '@steward/proto/steward/moderation/v1/event_reports_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Deps } from '../../core/deps.ts';
import { eventReports, reportedRooms } from '../../core/model/report.ts';
import { reportKey } from '../../core/report-id.ts';
import { hideReportsOfGoneRooms, noteRooms } from '../../core/reported-rooms.ts';
import { onRoomPurged } from '../../events/on-room-purged.ts';
import { listEventReports } from './list-event-reports.ts';

let store: Store;
let deps: Deps;
/** The existing rooms. */
let there: Set<string>;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  there = new Set(['!a:test', '!b:test', '!c:test']);
  deps = {
    eventReports: await store.collection(eventReports),
    reportedRooms: await store.collection(reportedRooms),
    rooms: {
      describe: async ({ roomIds = [] }: { roomIds?: readonly string[] }) => ({
        events: new Map(),
        rooms: new Map(roomIds.filter((roomId) => there.has(roomId)).map((roomId) => [roomId, {}])),
      }),
    },
  } as Partial<Record<keyof Deps, unknown>> as Deps;
  for (const [n, room_id] of [...there].entries()) {
    await noteRooms(deps, [room_id]);
    await deps.eventReports.insertOne({
      _id: reportKey(n + 1),
      received_ts: n,
      room_id,
      event_id: `$${n}`,
      user_id: '@reporter:test',
      sender: null,
      reason: null,
      score: null,
      room_gone: false,
    });
  }
});
afterEach(() => store.close());

const list = async (request: object = {}) => {
  const { eventReports: reports = [], total } = await listEventReports(
    deps,
    create(ListEventReportsRequestSchema, request),
  );
  return { rooms: reports.map(({ roomId }) => roomId), total: Number(total) };
};

it('does not count reports of a room after the fact that it was removed', async () => {
  there.delete('!b:test');
  await onRoomPurged(deps, create(RoomPurgedSchema, { roomId: '!b:test' }));
  expect(await list({ limit: 0n })).toEqual({ rooms: [], total: 2 });
  expect(await list({ userId: 'porter' })).toEqual({ rooms: ['!c:test', '!a:test'], total: 2 });
});

it('hides reports of a removed room before the fact arrives, whether the room is recorded or not', async () => {
  there.delete('!b:test');
  expect(await list({ limit: 2n })).toEqual({ rooms: ['!c:test', '!a:test'], total: 2 });
  there.delete('!c:test');
  await deps.reportedRooms.deleteOne({ _id: '!c:test' });
  expect(await list()).toEqual({ rooms: ['!a:test'], total: 1 });
});

it('finds removed rooms without a fact', async () => {
  there.clear();
  await hideReportsOfGoneRooms(deps);
  expect(await list({ limit: 0n })).toEqual({ rooms: [], total: 0 });
  expect(await deps.reportedRooms.countDocuments({})).toBe(0);
});
