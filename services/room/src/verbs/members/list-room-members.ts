import type { ListRoomMembersRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';

/** Lists the joined members of a room, ascending by user id (behaviour.md 10.3). */
export async function listRoomMembers(deps: Deps, { roomId }: ListRoomMembersRequest) {
  await existingRoom(deps, roomId);
  // The store reads a page at a time, so that other requests are served in between.
  const joined = await deps.members
    .find(
      { room_id: roomId, membership: 'join' },
      { sort: { user_id: 1 }, projection: { _id: 0, user_id: 1 } },
    )
    .toArray();
  return { members: joined.map(({ user_id }) => user_id), total: BigInt(joined.length) };
}
