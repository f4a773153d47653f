import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import type { Planned } from '@steward/plans';
import { RoomUnblockedSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import type { PutBlockRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { raiseDeferred, raiseDeferredOf, requester } from '@steward/rpc';
import { blockRoom, unblockRoom } from '../../core/aggregate/block-room.ts';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import type { Deps } from '../../core/deps.ts';
import { isBlocking } from '../../core/model/block.ts';

/** Blocks or unblocks a room, which need not exist (behaviour.md 10.8). */
export async function putBlock(deps: Deps, request: PutBlockRequest, context: HandlerContext) {
  check(request, context);
  const { roomId, block } = request;
  if (block) {
    await blockRoom(deps, roomId, requester(context).userId);
  } else {
    await unblockRoom(deps, roomId);
    reportEvent(context, RoomUnblockedSchema, {});
  }
  return { block };
}

/** Plans `putBlock`. */
export async function planPutBlock(
  deps: Pick<Deps, 'blocks' | 'rooms'>,
  request: PutBlockRequest,
  context: HandlerContext,
): Promise<Planned> {
  check(request, context);
  const { roomId, block } = request;
  const isBlocked = isBlocking(await deps.blocks.findOne({ _id: roomId }));
  const room = await deps.rooms.findOne({ _id: roomId }, { projection: { name: 1 } });
  return {
    changes: [{ kind: 'blocks', change: block ? 'created' : 'removed', count: isBlocked === block ? 0 : 1 }],
    sample: [{ kind: 'room', id: roomId, name: room?.name ?? null }],
  };
}

function check({ roomId }: PutBlockRequest, context: HandlerContext): void {
  raiseDeferredOf(context);
  requireRoomId(roomId);
  raiseDeferred(context);
}
