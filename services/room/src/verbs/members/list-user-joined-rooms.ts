import { compareCodePoints } from '@steward/kernel';
import type { ListUserJoinedRoomsRequest } from '@steward/proto/steward/room/v1/user_rooms_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { joinedRooms } from '../../core/membership/joined-rooms.ts';
import { serverNameOf } from '../../core/protocol/mod.ts';

/** Rooms that are read with one query. */
const BATCH = 500;

/**
 * Lists the rooms that a user has joined, ascending; for a user of another server only the rooms that a user of this
 * server has joined too (behaviour.md 2.8).
 */
export async function listUserJoinedRooms(deps: Deps, { userId }: ListUserJoinedRoomsRequest) {
  const joined = await joinedRooms(deps, userId);
  const shared = serverNameOf(userId) === deps.serverName ? joined : await withLocalMembers(deps, joined);
  return { joinedRooms: shared.toSorted(compareCodePoints), total: BigInt(shared.length) };
}

async function withLocalMembers(deps: Deps, roomIds: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let from = 0; from < roomIds.length; from += BATCH) {
    // Found by their ids alone, because most rooms have local members.
    const rooms = await deps.rooms
      .find({ _id: { $in: roomIds.slice(from, from + BATCH) } }, { projection: { joined_local_members: 1 } })
      .toArray();
    found.push(...rooms.filter((room) => room.joined_local_members > 0).map(({ _id }) => _id));
  }
  return found;
}
