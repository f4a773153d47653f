import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type {
  ListSpaceRoomsRequest,
  ListSpaceRoomsResponseSchema,
} from '@steward/proto/steward/room/v1/directory_pb.ts';
import { requester } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { Room } from '../../core/model/room.ts';
import { walkSpace } from '../../core/spaces/walk-space.ts';
import { summaryAccess } from '../../core/visibility/summary-access.ts';
import { summariseRoom } from './summarise-room.ts';

/** The most rooms of a page, and the default. */
const MAX_LIMIT = 50;

/** The most rooms of a hierarchy that a user sees. */
const MAX_ROOMS = 1_000;

/** Lists the rooms below a space of which the caller may learn, depth first, each once (client-plane.md 12). */
export async function listSpaceRooms(
  deps: Deps,
  { roomId, suggestedOnly = false, limit = BigInt(MAX_LIMIT), maxDepth, from }: ListSpaceRoomsRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListSpaceRoomsResponseSchema>> {
  const { userId } = requester(context);
  const isShown = async (room: Room) => (await summaryAccess(deps, room, userId)).isGranted;
  const space = await loadRoom(deps, roomId);
  if (!space || !(await isShown(space))) throw refuse.forbidden('You may not view this room');
  const { rooms, nextBatch } = await walkSpace(deps, {
    roomId,
    maxDepth: maxDepth === undefined ? undefined : clampToSafe(maxDepth),
    limit: Math.min(clampToSafe(limit), MAX_LIMIT),
    maxRooms: MAX_ROOMS,
    from,
    suggestedOnly,
    isShown,
  });
  const listed = rooms.map(async ({ room, children }) => ({
    room: await summariseRoom(deps, room),
    childrenState: children.map(({ stripped }) => stripped),
  }));
  return {
    rooms: await Promise.all(listed),
    ...(nextBatch === undefined ? {} : { nextBatch }),
  };
}
