import type { HandlerContext } from '@connectrpc/connect';
import type { PutBlockRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { raiseDeferred, raiseDeferredOf, requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { blockRoom, unblockRoom } from '../rooms/block-room.ts';
import { requireRoomId } from './named-room.ts';

/** Blocks a room, known or not, or lifts the block (behaviour.md 10.8). */
export async function putBlock(
  deps: Pick<Deps, 'blocks' | 'rooms'>,
  { roomId, block }: PutBlockRequest,
  context: HandlerContext,
) {
  raiseDeferredOf(context);
  requireRoomId(roomId);
  raiseDeferred(context);
  if (block) await blockRoom(deps, roomId, requester(context).userId);
  else await unblockRoom(deps, roomId);
  return { block };
}
