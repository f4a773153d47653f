import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetRoomRequest, GetRoomResponseSchema } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { NO_MEMBERSHIP } from '../../core/model/member.ts';
import { toEntry } from './room-entry.ts';

/** Members whose devices are counted with one call. */
const BATCH = 1_000;

/** Describes a room (behaviour.md 10.2, 13.5). */
export async function getRoom(
  deps: Deps,
  { roomId }: GetRoomRequest,
): Promise<MessageInitShape<typeof GetRoomResponseSchema>> {
  const room = await existingRoom(deps, roomId);
  const [devices, forgotten] = await Promise.all([countDevices(deps, roomId), isForgotten(deps, roomId)]);
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

/** Counts the devices of the members of this server. */
async function countDevices(deps: Deps, roomId: string): Promise<number> {
  let devices = 0;
  let batch: string[] = [];
  const members = deps.members.find(
    { room_id: roomId, local: true, forgotten: false, membership: 'join' },
    { projection: { user_id: 1 } },
  );
  for await (const { user_id } of members) {
    batch.push(user_id);
    if (batch.length < BATCH) continue;
    devices += await deps.users.countDevices(batch);
    batch = [];
  }
  return batch.length === 0 ? devices : devices + (await deps.users.countDevices(batch));
}

/** Whether every user of this server with a membership in a room has forgotten it. */
async function isForgotten(deps: Deps, roomId: string): Promise<boolean> {
  const remembering = await deps.members.findOne(
    { room_id: roomId, local: true, forgotten: false, membership: { $ne: NO_MEMBERSHIP } },
    { projection: { _id: 1 } },
  );
  return remembering === null;
}
