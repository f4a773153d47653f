import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { BeginRoomDeletionRequest } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { callId, requester } from '@steward/rpc';
import { isOpen } from '@steward/tasks';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import { createDeletion } from '../../core/deletion/create-deletion.ts';
import { DELETE_ROOM, isOfCall } from '../../core/deletion/deletion.ts';
import { requireScopeOfCreator } from '../../core/deletion/require-local-creator.ts';
import type { Deps } from '../../core/deps.ts';
import { requireNewRoom } from '../../core/moves/new-room.ts';
import { readDeletion } from './deletion.ts';

/** Begins to delete a room, unless a deletion of it is running (behaviour.md 10.11). */
export async function beginRoomDeletion(
  deps: Deps,
  { roomId, ...request }: BeginRoomDeletionRequest,
  context: HandlerContext,
) {
  requireRoomId(roomId);
  const params = readDeletion({ roomId, ...request }, 2);
  await requireScopeOfCreator(deps, params, context);
  const call = callId(context);
  const known = await deps.tasks.list(roomId, DELETE_ROOM);
  const own = known.find((task) => isOfCall(task, call));
  if (own) return { deleteId: own._id };
  if (known.some(isOpen)) throw beingDeleted();
  await requireNewRoom(deps, params);
  if (!params.block) {
    const room = await deps.rooms.findOne({ _id: roomId }, { projection: { _id: 1 } });
    if (!room) throw refuse.unknown('The room is not known here');
  }
  const deleteId = await createDeletion(deps, roomId, { ...params, call }, requester(context).userId, () => {
    throw beingDeleted();
  });
  return { deleteId };
}

function beingDeleted(): Error {
  return refuse.unknown('The room is being deleted');
}
