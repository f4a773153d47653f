import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { HistoryPurgeService } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { type Doc, declareCollection, type Store } from '@steward/store';
import { type OwnStore, stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import { ADMIN, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { blocks } from '../model/block.ts';

const ALICE = '@alice:test';

/** Makes a store look as an earlier release has left it. */
async function makeOlder(store: Store): Promise<void> {
  const { rooms } = await collectionsOf(store);
  const added = { facet: true, messages: true, last_activity_ts: true, blocked: true } as const;
  await rooms.updateMany({}, { $unset: added });
  await (await store.collection(blocks)).updateMany({}, { $unset: { blocked_ts: true } });
  const migrations = declareCollection<Doc>({ name: 'room.migrations', indexes: [], shardKey: null });
  await (await store.collection(migrations)).deleteMany({});
}

describe.each(stores)('$title', ({ missing, open }) => {
  const inStore = async (own: OwnStore, work: (service: TestService) => Promise<void>) => {
    const clock = createFakeClock();
    const bus = await createLocalBus({ store: own.store, clock, random: systemRandom });
    const service = await startTestService({ store: own.store, bus, clock, deliveryWaitMs: 20 });
    try {
      await work(service);
      await service.service.whenIdle();
      expect(service.faults).toEqual([]);
    } finally {
      await service.close();
      await bus.close();
    }
  };

  it.skipIf(missing)(
    'messages are counted when they are sent, purged, and found after an upgrade',
    async () => {
      const own = await open();
      const roomIds: string[] = [];
      const eventIds: string[] = [];
      const purge = async (service: TestService, eventId = '') => {
        const client = service.client(HistoryPurgeService, ADMIN);
        const request = { roomId: roomIds[0] ?? '', eventId, deleteLocalEvents: true };
        const { purgeId } = await client.purgeHistoryUpToEvent(request);
        await expect
          .poll(async () => (await client.getHistoryPurge({ purgeId })).status, { timeout: 20_000 })
          .toBe('complete');
      };
      const expectCounted = async (expected: readonly number[]) => {
        const { rooms } = await collectionsOf(own.store);
        for (const [i, roomId] of roomIds.entries()) {
          expect((await rooms.findOne({ _id: roomId }))?.messages, roomId).toBe(expected[i]);
        }
      };
      try {
        await inStore(own, async (service) => {
          for (const blocked of [false, true]) {
            const { roomId } = await service.client(RoomService, ALICE).createRoom({ name: 'Ünï' });
            roomIds.push(roomId);
            const events = service.client(EventService, ALICE);
            const content = JSON.stringify({ msgtype: 'm.text', body: 'ß' });
            const types = [
              'm.room.message',
              'm.reaction',
              'm.room.encrypted',
              'm.sticker',
              'm.room.message',
              'm.x',
            ];
            for (const [n, eventType] of types.entries()) {
              const sent = await events.sendEvent({ roomId, eventType, txnId: `${n}`, content });
              if (!blocked) eventIds.push(sent.eventId);
            }
            if (blocked) await service.client(RoomAdminService, ADMIN).putBlock({ roomId, block: true });
            const { kept, counted } = await recount(own.store, roomId);
            expect(kept).toEqual(counted);
          }
          await expectCounted([4, 4]);
        });
        await makeOlder(own.store);
        await inStore(own, async (service) => {
          // The purge counts the messages first if the background has not done so.
          await purge(service, eventIds[3]);
          await service.service.whenIdle();
          await expectCounted([2, 4]);
          const { rooms } = await service.client(RoomAdminService, ADMIN).listRooms({ blocked: true });
          expect(rooms.map(({ roomId }) => roomId)).toEqual([roomIds[1]]);
          const { kept, counted } = await recount(own.store, roomIds[1] ?? '');
          expect(kept).toEqual(counted);
          await purge(service, eventIds[5]);
          await expectCounted([0, 4]);
        });
      } finally {
        await own.drop();
      }
    },
  );
});
