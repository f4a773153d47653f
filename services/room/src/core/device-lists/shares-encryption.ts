import type { Deps } from '../deps.ts';
import { joinedRooms } from '../membership/joined-rooms.ts';

/** Rooms or users that are read with one query. */
const BATCH = 500;

/** A room that two users share, and the arrival of the other one's membership in it. */
type Share = (userId: string, roomId: string, arrival: number) => void;

/** The encrypted rooms that a user has joined. */
export async function encryptedRoomsOf(
  deps: Pick<Deps, 'members' | 'rooms'>,
  userId: string,
): Promise<readonly string[]> {
  const joined = await joinedRooms(deps, userId);
  const encrypted: string[] = [];
  for (let from = 0; from < joined.length; from += BATCH) {
    const rooms = deps.rooms.find(
      { _id: { $in: joined.slice(from, from + BATCH) }, encryption: { $ne: null } },
      { projection: { _id: 1 } },
    );
    for await (const { _id } of rooms) encrypted.push(_id);
  }
  return encrypted;
}

/** Calls `share` for each of the rooms that each of the users has joined. */
export async function forShared(
  deps: Pick<Deps, 'members'>,
  userIds: readonly string[],
  roomIds: readonly string[],
  share: Share,
): Promise<void> {
  if (roomIds.length === 0) return;
  const shared = new Set(roomIds);
  for (let from = 0; from < userIds.length; from += BATCH) {
    const memberships = deps.members.find(
      { user_id: { $in: userIds.slice(from, from + BATCH) }, membership: 'join' },
      { projection: { user_id: 1, room_id: 1, arrival: 1 } },
    );
    for await (const { user_id, room_id, arrival } of memberships) {
      if (shared.has(room_id)) share(user_id, room_id, arrival);
    }
  }
}
