import { toRefusal } from '@steward/errors';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import type { Store } from '@steward/store';
import { expect, it } from 'vitest';
import { events } from '../../core/model/event-document.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';

const BANNED = '@banned:test';
const GONE = '@gone:test';
const FAR = '@far:elsewhere';

/** A private room of the administrator, from which a user is banned; one account is deactivated. */
async function start() {
  const { store, service } = await oneService({ isDeactivated: (userId) => userId === GONE });
  const { roomId } = await service.client(RoomService, ADMIN).createRoom({ preset: 'private_chat' });
  await service.client(MembershipService, ADMIN).ban({ roomId, userId: BANNED });
  const rooms = service.client(RoomAdminService, ADMIN);
  return { store, rooms, roomIdOrAlias: roomId };
}

const refusalOf = (call: Promise<unknown>) => call.then(() => undefined, toRefusal);
const count = async (store: Store) => (await store.collection(events)).countDocuments({});

it('a user who cannot be invited gets no level, and one who cannot join is not invited', async () => {
  const { store, rooms, roomIdOrAlias } = await start();
  const before = await count(store);
  for (const userId of [BANNED, FAR])
    expect(await refusalOf(rooms.makeRoomAdmin({ roomIdOrAlias, userId }))).toMatchObject({ status: 403 });
  expect(await refusalOf(rooms.joinUser({ roomIdOrAlias, userId: BANNED }))).toMatchObject({ status: 403 });
  expect(await refusalOf(rooms.joinUser({ roomIdOrAlias, userId: GONE }))).toMatchObject({ status: 400 });
  expect(await count(store)).toBe(before);
});
