import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { BeginRoomDeletionRequest } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { callId, requester } from '@steward/rpc';
import { isOpen, type Task } from '@steward/tasks';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import { createDeletion } from '../../core/deletion/create-deletion.ts';
import { DELETE_ROOM, paramsOf } from '../../core/deletion/deletion.ts';
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
  const begun = (await deps.tasks.list(roomId, DELETE_ROOM)).filter(
    (task) => isOpen(task) || isOf(task, call),
  );
  const own = begun.find((task) => isOf(task, call));
  if (own) return { deleteId: own._id };
  if (begun.length > 0) throw beingDeleted();
  await requireNewRoom(deps, params);
  if (!params.block) {
    const room = await deps.rooms.findOne({ _id: roomId }, { projection: { _id: 1 } });
    if (!room) throw refuse.unknown('The room is not known here');
  }
  const ordered = call === undefined ? params : { ...params, call };
  const deleteId = await createDeletion(deps, roomId, ordered, requester(context).userId, () => {
    throw beingDeleted();
  });
  return { deleteId };
}

/** Whether an earlier attempt of a call has begun a deletion. */
function isOf(task: Task, call: string | undefined): boolean {
  return call !== undefined && paramsOf(task).call === call;
}

function beingDeleted(): Error {
  return refuse.unknown('The room is being deleted');
}
