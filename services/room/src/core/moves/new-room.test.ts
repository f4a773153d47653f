import { toRefusal } from '@steward/errors';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { ReportOrderService, RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { expect, it } from 'vitest';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';

const OWNER = '@owner:test';
const MEMBER = '@member:test';
const GONE = '@gone:test';

/** A room with two members, on a server on which `isGone` says whether one account is deactivated. */
async function start(isGone: () => boolean = () => true) {
  const { service } = await oneService({ isDeactivated: (userId) => userId === GONE && isGone() });
  const create = { preset: 'public_chat', roomAliasName: 'alias' };
  const { roomId } = await service.client(RoomService, OWNER).createRoom(create);
  await service.client(MembershipService, MEMBER).joinRoom({ roomId });
  const deletions = service.client(RoomDeletionService, ADMIN);
  const rooms = service.client(RoomAdminService, ADMIN);
  return { service, deletions, rooms, roomId };
}

const refusalOf = (call: Promise<unknown>) => call.then(() => undefined, toRefusal);

it.each([
  ['a deactivated creator', { newRoomUserId: GONE }, 400],
  ['a creator of another server', { newRoomUserId: '@far:elsewhere' }, 400],
  ['a message that is too long for an event', { newRoomUserId: OWNER, message: 'x'.repeat(65_000) }, 413],
  ['a message that escapes make too long', { newRoomUserId: OWNER, message: '"'.repeat(33_000) }, 413],
  ['a name that is too long for an event', { newRoomUserId: OWNER, roomName: 'x'.repeat(65_000) }, 413],
])('a deletion with %s is refused before anything changes', async (_, options, status) => {
  const { service, deletions, rooms, roomId } = await start();
  const request = { roomId, block: true, ...options };
  const order = { orderId: 'a', requestedBy: ADMIN, order: RoomOrder.DELETE, roomId, checkOnly: true };
  for (const refused of [
    () => deletions.deleteRoom(request),
    () => deletions.beginRoomDeletion(request),
    () => service.client(ReportOrderService, ADMIN).carryOutOrder({ ...order, deletion: request }),
  ])
    expect(await refusalOf(refused())).toMatchObject({ status });
  expect((await rooms.getBlock({ roomId })).block).toBe(false);
  expect((await rooms.listRoomMembers({ roomId })).members.toSorted()).toEqual([MEMBER, OWNER]);
});

it('a deletion whose new room is refused after it was accepted is completed, and has failed in that part', async () => {
  let calls = 0;
  // The account is deactivated after the request was checked, which reads it twice.
  const { service, deletions, roomId } = await start(() => ++calls > 2);
  await deletions.beginRoomDeletion({ roomId, newRoomUserId: GONE, block: true });
  await service.service.whenIdle();
  const { results } = await deletions.listRoomDeletions({ roomId });
  expect(results).toMatchObject([
    { status: 'failed', error: expect.stringMatching(/^The room was deleted, but the new room/) },
  ]);
  const { kickedUsers = [], newRoomId } = results[0]?.shutdownRoom ?? {};
  expect({ kicked: kickedUsers.toSorted(), newRoomId }).toEqual({ kicked: [MEMBER, OWNER] });
  const again = await refusalOf(deletions.deleteRoom({ roomId }));
  expect(again).toMatchObject({ message: 'The room is not known here' });
});

it('a deletion whose message is refused after it was accepted is completed, and has failed in that part', async () => {
  let calls = 0;
  // The account is deactivated while the members are moved: both checks, the creation, and then no more.
  const { service, deletions, rooms, roomId } = await start(() => ++calls > 3);
  await deletions.beginRoomDeletion({ roomId, newRoomUserId: GONE });
  await service.service.whenIdle();
  const { results } = await deletions.listRoomDeletions({ roomId });
  expect(results).toMatchObject([
    { status: 'failed', error: expect.stringMatching(/^The room was deleted, but the message/) },
  ]);
  const { localAliases, newRoomId = '' } = results[0]?.shutdownRoom ?? {};
  expect(localAliases).toEqual(['#alias:test']);
  expect((await rooms.listRoomMembers({ roomId: newRoomId })).members.toSorted()).toEqual([MEMBER, OWNER]);
});
