import type { GetBlockRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';

/** Returns whether a room is blocked, and the administrator who blocked it first (behaviour.md 10.8). */
export async function getBlock(deps: Pick<Deps, 'blocks'>, { roomId }: GetBlockRequest) {
  requireRoomId(roomId);
  const block = await deps.blocks.findOne({ _id: roomId });
  return block?.user_id === undefined ? { block: false } : { block: true, userId: block.user_id };
}
