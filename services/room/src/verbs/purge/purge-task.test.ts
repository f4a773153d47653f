import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { HistoryPurgeService } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import type { Store } from '@steward/store';
import { type CrashPoint, stores } from '@steward/store/testing';
import { dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { collectionsOf } from '../../fixtures/recount.ts';
import { ADMIN, type TestService } from '../../fixtures/test-service.ts';

/** What it proves. */
const GUARDS = ['packages/tasks/', 'services/room/src/core/aggregate/', 'services/room/src/verbs/purge/'];

const ALICE = '@alice:test';

/** More calls of the store than the purge makes. */
const MAX_CALLS = 25;

interface Prepared {
  readonly roomId: string;
  /** The ids of two events of a user of this server, two of another server, and the boundary. */
  readonly sent: readonly string[];
}

const purges = (service: TestService) => service.client(HistoryPurgeService, ADMIN);

async function prepare(store: Store, service: TestService): Promise<Prepared> {
  const { roomId } = await service.client(RoomService, ALICE).createRoom({});
  const client = service.client(EventService, ALICE);
  const sent: string[] = [];
  for (let n = 0; n < 5; n++) {
    const content = JSON.stringify({ url: `mxc://test/${n}` });
    const request = { roomId, eventType: 'm.x', txnId: `${n}`, content };
    sent.push((await client.sendEvent(request)).eventId);
  }
  const { events } = await collectionsOf(store);
  await events.updateMany({ _id: { $in: sent.slice(2, 4) } }, { $set: { sender: '@x:elsewhere' } });
  return { roomId, sent };
}

/** A purge that keeps the events of users of this server. */
function purgeIn(store: Store): Scenario<Prepared> {
  let purgeId = '';
  return {
    prepare: (service) => prepare(store, service),
    async begin(service, { roomId, sent }) {
      const request = { roomId, eventId: sent[4] ?? '' };
      ({ purgeId } = await purges(service).purgeHistoryUpToEvent(request));
    },
    async expect(service, { roomId, sent }, changedMedia) {
      expect(new Set(changedMedia)).toEqual(new Set(['mxc://test/2', 'mxc://test/3']));
      expect(await purges(service).getHistoryPurge({ purgeId })).toMatchObject({ status: 'complete' });
      const { rooms, events } = await collectionsOf(store);
      const left = await events.find({ room_id: roomId }).toArray();
      const messages = left.flatMap(({ _id, state_key }) => (state_key === undefined ? [_id] : []));
      expect(messages.sort()).toEqual([sent[0], sent[1], sent[4]].sort());
      expect(left.length - messages.length).toBeGreaterThan(4);
      const room = await rooms.findOne({ _id: roomId });
      expect(room?.event_bytes).toBe(left.reduce((sum, { bytes }) => sum + bytes, 0));
      expect(room?.horizon).toMatchObject({ depth: room?.depth });
    },
  };
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  it.skipIf(missing)(
    'a purge is completed exactly once, at whichever call of the store a process crashes',
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: MAX_CALLS }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          async (call, how) => {
            const { store, drop } = await open();
            try {
              await runScenario(store, purgeIn(store), call, how);
            } finally {
              await drop();
            }
          },
        ),
        { numRuns: dueRuns(remote ? 5 : 30, 'crashes of a purge', GUARDS) },
      );
    },
  );

  it.skipIf(missing)('a purge of all events fails, and removes none', async () => {
    const { store, drop } = await open();
    let purgeId = '';
    const scenario: Scenario<Prepared> = {
      ...purgeIn(store),
      async begin(service, { roomId, sent }) {
        const { rooms } = await collectionsOf(store);
        const room = await rooms.findOne({ _id: roomId });
        const extremities = (room?.extremities ?? []).map((each) => ({ ...each, depth: each.depth - 1 }));
        await rooms.updateOne({ _id: roomId }, { $set: { extremities } });
        const request = { roomId, eventId: sent[4] ?? '', deleteLocalEvents: true };
        ({ purgeId } = await purges(service).purgeHistoryUpToEvent(request));
      },
      async expect(service, { roomId, sent }) {
        const purge = await purges(service).getHistoryPurge({ purgeId });
        expect(purge).toMatchObject({ status: 'failed', error: expect.any(String) });
        const { events } = await collectionsOf(store);
        const messages = { room_id: roomId, type: 'm.x' };
        expect(await events.countDocuments(messages)).toBe(sent.length);
      },
    };
    expect(await runScenario(store, scenario, Number.POSITIVE_INFINITY, 'before')).toBe(false);
    await drop();
  });
});
