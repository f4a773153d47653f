import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RoomSummarySchema } from '@steward/proto/steward/room/v1/directory_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { listedFields } from '../../core/model/listed-room.ts';
import type { Room } from '../../core/model/room.ts';
import { allowedRooms } from '../../core/visibility/allowed-rooms.ts';

/** The summary of a room, as users see it who need not be in it. */
export async function summariseRoom(
  deps: Deps,
  room: Room,
): Promise<MessageInitShape<typeof RoomSummarySchema>> {
  return {
    ...listedFields(room),
    joinRule: room.join_rules ?? 'invite',
    encryption: room.encryption ?? undefined,
    roomVersion: room.room_version,
    allowedRoomIds: [...(await allowedRooms(deps, room))],
  };
}
