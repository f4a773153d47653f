import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { shareBus } from '../../fixtures/share-bus.ts';
import { ADMIN, startTestService } from '../../fixtures/test-service.ts';

const CREATOR = '@creator:test';
const USER = '@user:test';

it.each([
  ['was deactivated, and has not left yet,', 0],
  ['is deactivated during the move', 1],
])('a user who %s is not moved to another room', async (_, queries) => {
  const store = await openSqliteStore({ path: ':memory:' });
  const clock = createFakeClock();
  const bus = shareBus(await createLocalBus({ store, clock, random: systemRandom }));
  let left = Number.POSITIVE_INFINITY;
  const service = await startTestService({
    store,
    bus,
    clock,
    isDeactivated: (userId) => userId === USER && left-- <= 0,
  });
  onTestFinished(async () => {
    await service.close();
    await bus.close();
    await store.close();
  });
  const rooms = service.client(RoomService, CREATOR);
  const { roomId } = await rooms.createRoom({ preset: 'public_chat' });
  await service.client(MembershipService, USER).joinRoom({ roomId });

  left = queries;
  const deletions = service.client(RoomDeletionService, ADMIN);
  const outcome = await deletions.deleteRoom({ roomId, newRoomUserId: CREATOR });
  expect(outcome).toMatchObject({ kickedUsers: [CREATOR], failedToKickUsers: [USER] });
  const { joined } = await service
    .client(MembershipService, CREATOR)
    .listJoinedMembers({ roomId: outcome.newRoomId ?? '' });
  expect(Object.keys(joined)).toEqual([CREATOR]);
});
