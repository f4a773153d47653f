import type { HandlerContext } from '@connectrpc/connect';
import type { ListKeyChangesRequest } from '@steward/proto/steward/room/v1/sync_pb.ts';
import { requester } from '@steward/rpc';
import { findCursor } from '../../core/cursors/cursors.ts';
import type { Deps } from '../../core/deps.ts';
import { deviceListChanges } from '../../core/device-lists/device-list-changes.ts';
import { type FollowedRoom, followedRoom } from '../../core/device-lists/followed-rooms.ts';
import type { Cursor } from '../../core/model/cursor.ts';
import { readToken } from '../../core/protocol/mod.ts';

/** Rooms that are read with one query. */
const PAGE = 500;

/**
 * Returns whose devices have changed for the caller since a token, up to now (client-plane.md 12). With a token that
 * expired, or of another kind, nothing can be told.
 */
export async function listKeyChanges(deps: Deps, asked: ListKeyChangesRequest, context: HandlerContext) {
  const caller = requester(context);
  const { userId } = caller;
  readToken(asked.to);
  const from = await findCursor(deps, caller, asked.from);
  if (!from) return {};
  const rooms = await followedRooms(deps, userId, from);
  const request = { userId, known: from.rooms };
  const { changed, left } = await deviceListChanges(deps, { ...request, rooms, changedKeysOf: [] });
  const all = new Set(changed);
  let since = from.keys;
  while (since !== undefined) {
    const { userIds, position, more } = await deps.accountFeeds.keyChanges(userId, since);
    const page = await deviceListChanges(deps, { ...request, rooms: [], changedKeysOf: userIds });
    for (const other of page.changed) all.add(other);
    since = more ? position : undefined;
  }
  return { changed: [...all], left: [...left] };
}

/** The rooms in which the user has begun or ceased to share encrypted messages with others since a cursor. */
async function followedRooms(deps: Deps, userId: string, { rooms: known }: Cursor): Promise<FollowedRoom[]> {
  const joined = new Map<string, number>();
  const memberships = deps.members.find(
    { user_id: userId, membership: 'join' },
    { projection: { room_id: 1, arrival: 1 } },
  );
  for await (const { room_id, arrival } of memberships) joined.set(room_id, arrival);
  const ids = [...new Set([...joined.keys(), ...known.keys()])];
  const followed: FollowedRoom[] = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const rooms = deps.rooms.find(
      { _id: { $in: ids.slice(from, from + PAGE) }, encryption: { $ne: null } },
      { projection: { arrival: 1, encryption: 1, encrypted_at: 1, local_joins: 1 } },
    );
    for await (const room of rooms) {
      const now = { joined: joined.has(room._id), anew: false, arrival: room.arrival };
      const found = followedRoom(room, known.get(room._id), now);
      if (found) followed.push(found);
    }
  }
  return followed;
}
