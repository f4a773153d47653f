import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { RoomUnblockedSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import type { PutBlockRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { raiseDeferred, raiseDeferredOf, requester } from '@steward/rpc';
import { blockRoom, unblockRoom } from '../../core/aggregate/block-room.ts';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';

/** Blocks or unblocks a room, which need not exist (behaviour.md 10.8). */
export async function putBlock(deps: Deps, { roomId, block }: PutBlockRequest, context: HandlerContext) {
  raiseDeferredOf(context);
  requireRoomId(roomId);
  raiseDeferred(context);
  if (block) {
    await blockRoom(deps, roomId, requester(context).userId);
  } else {
    await unblockRoom(deps, roomId);
    reportEvent(context, RoomUnblockedSchema, {});
  }
  return { block };
}
