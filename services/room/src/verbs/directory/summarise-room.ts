import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RoomSummarySchema } from '@steward/proto/steward/room/v1/directory_pb.ts';
import type { Room } from '../../core/model/room.ts';

/** The summary of a room, as users see it who need not be in it. */
export function summariseRoom(room: Room): MessageInitShape<typeof RoomSummarySchema> {
  return {
    roomId: room._id,
    numJoinedMembers: BigInt(room.joined_members),
    worldReadable: room.history_visibility === 'world_readable',
    guestCanJoin: room.guest_access === 'can_join',
    name: room.name ?? undefined,
    topic: room.topic ?? undefined,
    canonicalAlias: room.canonical_alias ?? undefined,
    avatarUrl: room.avatar ?? undefined,
    joinRule: room.join_rules ?? 'invite',
    roomType: room.room_type ?? undefined,
    encryption: room.encryption ?? undefined,
    roomVersion: room.room_version,
  };
}
