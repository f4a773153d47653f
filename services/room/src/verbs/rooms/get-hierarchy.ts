import type { MessageInitShape } from '@bufbuild/protobuf';
import { clampToSafe } from '@steward/kernel';
import type {
  GetHierarchyRequest,
  GetHierarchyResponseSchema,
  HierarchyRoomSchema,
} from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { listedFields } from '../../core/model/listed-room.ts';
import { type RoomInSpace, walkSpace } from '../../core/spaces/walk-space.ts';

/** The most rooms of a page, and the default. */
const MAX_LIMIT = 50;

/** The most rooms of a hierarchy that are visited. */
const MAX_ROOMS = 10_000;

/** Lists the rooms below a space, depth first, each once (behaviour.md 13.5); omits rooms unknown to this server. */
export async function getHierarchy(
  deps: Deps,
  { roomId, maxDepth, limit = BigInt(MAX_LIMIT), from }: GetHierarchyRequest,
): Promise<MessageInitShape<typeof GetHierarchyResponseSchema>> {
  const { rooms, nextBatch } = await walkSpace(deps, {
    roomId: (await existingRoom(deps, roomId))._id,
    maxDepth: maxDepth === undefined ? undefined : clampToSafe(maxDepth),
    limit: Math.min(clampToSafe(limit), MAX_LIMIT),
    maxRooms: MAX_ROOMS,
    from,
    suggestedOnly: false,
    isShown: () => true,
  });
  return { rooms: rooms.map(toHierarchyRoom), ...(nextBatch === undefined ? {} : { nextBatch }) };
}

function toHierarchyRoom({ room, children }: RoomInSpace): MessageInitShape<typeof HierarchyRoomSchema> {
  return {
    ...listedFields(room),
    joinRule: room.join_rules ?? 'invite',
    childrenState: children.map(({ stripped }) => stripped),
  };
}
