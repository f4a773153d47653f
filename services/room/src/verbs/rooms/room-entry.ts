import type { MessageInitShape } from '@bufbuild/protobuf';
import { optionalInt64 } from '@steward/kernel';
import type {
  RoomDetailsSchema,
  RoomListEntrySchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import type { Room } from '../../core/model/room.ts';

/** The entry of a room in lists, with details or without. */
export function toEntry(
  room: Room,
  { details = false }: { readonly details?: boolean } = {},
): MessageInitShape<typeof RoomListEntrySchema> {
  return {
    roomId: room._id,
    name: room.name ?? undefined,
    canonicalAlias: room.canonical_alias ?? undefined,
    joinedMembers: BigInt(room.joined_members),
    joinedLocalMembers: BigInt(room.joined_local_members),
    version: room.room_version,
    creator: room.creator,
    encryption: room.encryption ?? undefined,
    federatable: room.federatable,
    public: room.public,
    joinRules: room.join_rules ?? undefined,
    guestAccess: room.guest_access ?? undefined,
    historyVisibility: room.history_visibility ?? undefined,
    stateEvents: BigInt(room.state_events),
    roomType: room.room_type ?? undefined,
    ...(details ? { details: detailsOf(room) } : {}),
  };
}

/** What lists say of a room with details. */
function detailsOf(room: Room): MessageInitShape<typeof RoomDetailsSchema> {
  return {
    lastActivityTs: BigInt(room.last_activity_ts),
    messageCount: optionalInt64(room.messages ?? null),
    storedBytes: BigInt(room.event_bytes),
    createdTs: BigInt(room.created_ts),
    blocked: room.blocked === true,
    tombstoned: room.tombstoned,
    replacementRoom: room.replacement_room ?? undefined,
  };
}
