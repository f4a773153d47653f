import { createLocalBus } from '@steward/events';
import { systemRandom } from '@steward/kernel';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { UserRoomService } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it, onTestFinished } from 'vitest';
import { collectionsOf } from '../../fixtures/recount.ts';
import { shareBus } from '../../fixtures/share-bus.ts';
import { ADMIN, startTestService, type TestService } from '../../fixtures/test-service.ts';

const CREATOR = '@creator:test';
const USER = '@user:test';

async function start(
  isDeactivated: (userId: string) => boolean | Promise<boolean>,
): Promise<TestService & { readonly store: Store }> {
  const store = await openSqliteStore({ path: ':memory:' });
  const clock = createFakeClock();
  const bus = shareBus(await createLocalBus({ store, clock, random: systemRandom }));
  const service = await startTestService({ store, bus, clock, isDeactivated });
  onTestFinished(async () => {
    await service.close();
    await bus.close();
    await store.close();
  });
  return { ...service, store };
}

it.each([
  ['was deactivated, and has not left yet,', 0],
  ['is deactivated during the move', 1],
])('a user who %s is not moved to another room', async (_, queries) => {
  let left = Number.POSITIVE_INFINITY;
  const service = await start((userId) => userId === USER && left-- <= 0);
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

it('the event by which a member leaves also makes the member forget the room', async () => {
  const service = await start(() => false);
  const { roomId } = await service.client(RoomService, CREATOR).createRoom({ preset: 'public_chat' });
  await service.client(RoomDeletionService, ADMIN).deleteRoom({ roomId, purge: false });
  const { members, events } = await collectionsOf(service.store);
  const member = await members.findOne({ room_id: roomId, user_id: CREATOR });
  expect(member).toMatchObject({ membership: 'leave', forgotten: true });
  expect(await events.findOne({ _id: member?.event_id ?? '' })).toMatchObject({ forgets: true });
});

it('joins are refused during the deletion, and the invitations end that the remaining members send', async () => {
  // More members than leave with one commit; the creator is the last of them.
  const members = Array.from({ length: 60 }, (_, n) => `@a${n}:test`);
  const [first = ''] = members;
  let invite: (() => Promise<unknown>) | undefined;
  let join: Promise<unknown> | undefined;
  const service = await start(async (userId) => {
    if (userId !== first) return false;
    const due = invite;
    invite = undefined;
    await due?.();
    return false;
  });
  const { roomId } = await service.client(RoomService, CREATOR).createRoom({ preset: 'public_chat' });
  for (const userId of members) await service.client(MembershipService, userId).joinRoom({ roomId });

  // Runs when the first members have left, before they are moved.
  invite = async () => {
    const creator = service.client(MembershipService, CREATOR);
    for (const userId of [USER, first]) await creator.invite({ roomId, userId });
    join = service.client(MembershipService, USER).joinRoom({ roomId });
    await join.catch(() => {});
  };
  const deletions = service.client(RoomDeletionService, ADMIN);
  const outcome = await deletions.deleteRoom({ roomId, purge: false, newRoomUserId: CREATOR });
  await expect(join).rejects.toThrow('being deleted');
  expect(outcome.kickedUsers.toSorted()).toEqual([...members, CREATOR, USER].sort());
  expect(outcome.failedToKickUsers).toEqual([]);
  for (const userId of [USER, first]) {
    const { memberships } = await service.client(UserRoomService, ADMIN).listUserMemberships({ userId });
    expect(memberships[roomId]).toBe('leave');
  }
});
