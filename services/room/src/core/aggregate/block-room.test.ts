import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { BlockedRoomService } from '@steward/proto/steward/room/v1/blocked_rooms_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import type { Collection, CollectionDeclaration, Doc, Store } from '@steward/store';
import { stores } from '@steward/store/testing';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { shareBus } from '../../fixtures/share-bus.ts';
import { ADMIN, startTestService } from '../../fixtures/test-service.ts';
import { blocks } from '../model/block.ts';

/** A store that runs a hook after each query for a block, before it returns the result. */
function afterBlockQuery(store: Store, hook: () => Promise<void>): Store {
  const slow = <T extends Doc>(collection: Collection<T>): Collection<T> =>
    new Proxy(collection, {
      get(target, name: keyof Collection<T>) {
        if (name === 'findOne') {
          return async (...args: Parameters<Collection<T>['findOne']>) => {
            const found = await target.findOne(...args);
            await hook();
            return found;
          };
        }
        const method: unknown = target[name];
        return typeof method === 'function' ? method.bind(target) : method;
      },
    });
  return {
    ...store,
    async collection<T extends Doc>(declaration: CollectionDeclaration<T>) {
      const collection = await store.collection(declaration);
      return declaration.name === blocks.name ? slow(collection) : collection;
    },
  };
}

/** More calls of the store than a change of a block makes. */
const MAX_CALLS = 12;

describe.each(stores)('$title', ({ missing, open, remote }) => {
  it.skipIf(missing).each([1, 2])(
    'a join that has begun before the block is refused, if the block comes after its query %i',
    async (queries) => {
      const { store, drop } = await open();
      const clock = createFakeClock();
      const bus = shareBus(await createLocalBus({ store, clock, random: systemRandom }));
      const other = await startTestService({ store, bus, clock });
      let left = queries;
      let block = async () => {};
      const slow = afterBlockQuery(store, async () => {
        if (--left === 0) await block();
      });
      const service = await startTestService({ store: slow, bus, clock });
      const { roomId } = await other.client(RoomService, '@a:test').createRoom({ preset: 'public_chat' });
      block = async () =>
        void (await other.client(RoomAdminService, ADMIN).putBlock({ roomId, block: true }));

      const late = service.client(MembershipService, '@late:test').joinRoom({ roomId });
      await expect(late).rejects.toThrow('This room has been blocked');
      const members = other.client(MembershipService, '@a:test');
      expect(Object.keys((await members.listJoinedMembers({ roomId })).joined)).toEqual(['@a:test']);
      await Promise.all([service.close(), other.close()]);
      await bus.close();
      await drop();
    },
  );

  it.skipIf(missing)(
    'the list of rooms says whether a room is blocked, at whichever call of the store a process crashes',
    { timeout: 240_000 },
    async () => {
      for (const block of [true, false]) {
        for (let call = 1; call <= (remote ? 4 : MAX_CALLS); call++) {
          const { store, drop } = await open();
          try {
            await runScenario(store, blockIn(store, block), call, call % 2 === 0 ? 'before' : 'after');
          } finally {
            await drop();
          }
        }
      }
    },
  );
});

/** A room that is blocked, or whose block is lifted. */
function blockIn(store: Store, block: boolean): Scenario<string> {
  return {
    async prepare(service) {
      const { roomId } = await service.client(RoomService, '@a:test').createRoom({});
      const other = !block;
      await service.client(RoomAdminService, ADMIN).putBlock({ roomId, block: other });
      return roomId;
    },
    begin: (service, roomId) => service.client(RoomAdminService, ADMIN).putBlock({ roomId, block }),
    async expect(service, roomId) {
      const admin = service.client(RoomAdminService, ADMIN);
      const { rooms } = await admin.listRooms({ blocked: block, details: true });
      expect(rooms).toMatchObject([{ roomId, details: { blocked: block } }]);
      expect((await admin.getBlock({ roomId })).block).toBe(block);
      const blocked = await service.client(BlockedRoomService, ADMIN).listBlockedRooms({});
      expect(blocked.rooms.map((room) => room.roomId)).toEqual(block ? [roomId] : []);
      const left = await (await store.collection(blocks)).find({}).toArray();
      expect(left.map((document) => document.unsettled)).toEqual(block ? [undefined] : []);
    },
  };
}
