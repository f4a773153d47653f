import type { Room } from './room.ts';

/** What lists of rooms, summaries and hierarchies say of a room, in the form of their messages. */
export function listedFields(
  room: Pick<
    Room,
    | '_id'
    | 'joined_members'
    | 'history_visibility'
    | 'guest_access'
    | 'name'
    | 'topic'
    | 'canonical_alias'
    | 'avatar'
    | 'room_type'
  >,
) {
  return {
    roomId: room._id,
    numJoinedMembers: BigInt(room.joined_members),
    worldReadable: room.history_visibility === 'world_readable',
    guestCanJoin: room.guest_access === 'can_join',
    name: room.name ?? undefined,
    topic: room.topic ?? undefined,
    canonicalAlias: room.canonical_alias ?? undefined,
    avatarUrl: room.avatar ?? undefined,
    roomType: room.room_type ?? undefined,
  };
}
