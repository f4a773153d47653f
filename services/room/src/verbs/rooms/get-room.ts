import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetRoomRequest, GetRoomResponseSchema } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { NO_MEMBERSHIP } from '../../core/model/member.ts';
import type { Room } from '../../core/model/room.ts';
import { countRoomDevices } from './count-room-devices.ts';
import { toEntry } from './room-entry.ts';

/** Describes a room (behaviour.md 10.2, 13.5). */
export async function getRoom(
  deps: Deps,
  { roomId }: GetRoomRequest,
): Promise<MessageInitShape<typeof GetRoomResponseSchema>> {
  const room = await existingRoom(deps, roomId);
  const [devices, forgotten] = await Promise.all([countRoomDevices(deps, room), isForgotten(deps, room)]);
  return {
    entry: toEntry(room),
    topic: room.topic ?? undefined,
    avatar: room.avatar ?? undefined,
    joinedLocalDevices: BigInt(devices),
    forgotten,
    tombstoned: room.tombstoned,
    replacementRoom: room.replacement_room ?? undefined,
  };
}

/** Whether every user of this server with a membership in a room has forgotten it. */
async function isForgotten(deps: Deps, room: Room): Promise<boolean> {
  // A joined user cannot forget the room.
  if (room.joined_local_members > 0) return false;
  const remembering = await deps.members.findOne(
    { room_id: room._id, local: true, forgotten: false, membership: { $ne: NO_MEMBERSHIP } },
    { projection: { _id: 1 } },
  );
  return remembering === null;
}
