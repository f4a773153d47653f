import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { BeginRoomDeletionRequest } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { callId, requester } from '@steward/rpc';
import { isOpen, type Task } from '@steward/tasks';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import { createDeletion } from '../../core/deletion/create-deletion.ts';
import { DELETE_ROOM, type DeletionParams, isOfCall } from '../../core/deletion/deletion.ts';
import { requireScopeOfCreator } from '../../core/deletion/require-local-creator.ts';
import type { Deps } from '../../core/deps.ts';
import { requireNewRoom } from '../../core/moves/new-room.ts';
import { readDeletion } from './deletion.ts';
import { deletionPlan } from './deletion-plan.ts';

/** A request that was checked. */
interface Checked {
  readonly params: DeletionParams;
  /** The id of the call, if it has a key. */
  readonly call: string | undefined;
  /** The deletion that an earlier attempt of the call has begun. */
  readonly own: Task | undefined;
}

/** Begins to delete a room, unless a deletion of it is running (behaviour.md 10.11). */
export async function beginRoomDeletion(
  deps: Deps,
  request: BeginRoomDeletionRequest,
  context: HandlerContext,
) {
  const { params, call, own } = await check(deps, request, context);
  if (own) return { deleteId: own._id };
  const asked = { ...params, call };
  const deleteId = await createDeletion(deps, request.roomId, asked, requester(context).userId, () => {
    throw beingDeleted();
  });
  return { deleteId };
}

/** Plans `beginRoomDeletion`. */
export async function planBeginRoomDeletion(
  deps: Deps,
  request: BeginRoomDeletionRequest,
  context: HandlerContext,
): Promise<Planned> {
  const { params } = await check(deps, request, context);
  return deletionPlan(deps, request.roomId, params);
}

async function check(
  deps: Deps,
  { roomId, ...request }: BeginRoomDeletionRequest,
  context: HandlerContext,
): Promise<Checked> {
  requireRoomId(roomId);
  const params = readDeletion({ roomId, ...request }, 2);
  await requireScopeOfCreator(deps, params, context);
  const call = callId(context);
  const known = await deps.tasks.list(roomId, DELETE_ROOM);
  const own = known.find((task) => isOfCall(task, call));
  if (own) return { params, call, own };
  if (known.some(isOpen)) throw beingDeleted();
  await requireNewRoom(deps, params);
  if (!params.block) {
    const room = await deps.rooms.findOne({ _id: roomId }, { projection: { _id: 1 } });
    if (!room) throw refuse.unknown('The room is not known here');
  }
  return { params, call, own };
}

function beingDeleted(): Error {
  return refuse.unknown('The room is being deleted');
}
