import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import type { Store } from '@steward/store';
import { expect, it } from 'vitest';
import { oneService } from '../../fixtures/one-service.ts';
import { recount } from '../../fixtures/recount.ts';

const [CREATOR, USER] = ['@creator:test', '@user:test'];
const WRITE = /^(insert(One|Many)|update|findOneAndUpdate|delete|bulkWrite)/;

/** A store that reports the collection of each write. */
function reporting(store: Store, report: (collection: string) => void): Store {
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name !== 'collection') return target[name];
      return async (declaration: Parameters<Store['collection']>[0]) =>
        new Proxy(await target.collection(declaration), {
          get(collection, method) {
            const value = Reflect.get(collection, method);
            if (typeof value !== 'function') return value;
            return (...args: unknown[]) => {
              if (WRITE.test(String(method))) report(declaration.name);
              return value.apply(collection, args);
            };
          },
        });
    },
  });
}

it('admits state and members with writes of the room alone, on an engine that writes along with a commit', async () => {
  let written: string[] = [];
  const { store, service } = await oneService({
    wrap: (inner) => reporting(inner, (collection) => written.push(collection)),
  });
  const { roomId } = await service.client(RoomService, CREATOR).createRoom({ preset: 'public_chat' });
  await service.service.whenIdle();
  written = [];
  const members = service.client(MembershipService, USER);
  await members.joinRoom({ roomId });
  const topic = { roomId, eventType: 'm.room.topic', stateKey: '', content: '{"topic":"T"}' };
  await service.client(EventService, CREATOR).putState(topic);
  await members.leave({ roomId });
  await members.joinRoom({ roomId });
  // The relay removes published facts from the outbox.
  expect(new Set(written)).toEqual(new Set(['room.rooms', 'room.outbox']));
  await service.service.whenIdle();
  const { kept, counted } = await recount(store, roomId);
  expect(kept).toEqual(counted);
});
