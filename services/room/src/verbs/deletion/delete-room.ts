import { isDeepStrictEqual } from 'node:util';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import {
  type DeleteRoomRequest,
  type DeleteRoomResponseSchema,
  RoomDeletionService,
} from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { callId, methodRules, requester } from '@steward/rpc';
import { isOpen, type Task } from '@steward/tasks';
import { blockRoom } from '../../core/aggregate/block-room.ts';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import { createDeletion } from '../../core/deletion/create-deletion.ts';
import { DELETE_ROOM, type DeletionParams, isOfCall, paramsOf } from '../../core/deletion/deletion.ts';
import { requireScopeOfCreator } from '../../core/deletion/require-local-creator.ts';
import type { Deps } from '../../core/deps.ts';
import { requireNewRoom } from '../../core/moves/new-room.ts';
import { NO_OUTCOME, outcomeOf, readDeletion } from './deletion.ts';
import { deletionPlan } from './deletion-plan.ts';

/** The longest that a request waits for a deletion. */
const MAX_WAIT_MS = methodRules(RoomDeletionService.method.deleteRoom).maxWaitMs;

/** A request that was checked. */
interface Checked {
  readonly params: DeletionParams;
  /** The id of the call, if it has a key. */
  readonly call: string | undefined;
  /** Whether a task does what the request asks for. */
  readonly isSame: (task: Task) => boolean;
  /** The deletion that does, if it is running. */
  readonly running: Task | undefined;
  /** Whether there is no such room, so that it is only blocked. */
  readonly isUnknown: boolean;
}

/**
 * Deletes a room, and waits until the deletion has ended (behaviour.md 10.10). An equal request waits for the same
 * deletion, which continues after the last waiting request has gone. After the end of a deletion that purged the room, the
 * room is unknown.
 */
export async function deleteRoom(
  deps: Deps,
  request: DeleteRoomRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteRoomResponseSchema>> {
  const { roomId } = request;
  const { params, call, isSame, running, isUnknown } = await check(deps, request, context);
  const { userId } = requester(context);
  if (isUnknown) {
    await blockRoom(deps, roomId, userId);
    return NO_OUTCOME;
  }
  const id = running?._id ?? (await createDeletion(deps, roomId, { ...params, call }, userId, isSame));
  const ended = await deps.tasks.endedWithin(id, MAX_WAIT_MS, context.signal);
  if (!ended) throw refuse.unavailable('The deletion is still running; repeat the request to wait for it');
  if (ended.error !== undefined) throw refuse.unknown(ended.error);
  await deps.relay.delivered(roomId, deps.settings.deliveryWaitMs);
  return outcomeOf(deps, ended);
}

/** Plans `deleteRoom`. */
export async function planDeleteRoom(
  deps: Deps,
  request: DeleteRoomRequest,
  context: HandlerContext,
): Promise<Planned> {
  const { params } = await check(deps, request, context);
  return deletionPlan(deps, request.roomId, params);
}

async function check(
  deps: Deps,
  { roomId, ...request }: DeleteRoomRequest,
  context: HandlerContext,
): Promise<Checked> {
  requireRoomId(roomId);
  const params = readDeletion({ roomId, ...request }, 1);
  await requireScopeOfCreator(deps, params, context);
  const call = callId(context);
  const isSame = (task: Task) => {
    const { call: _, ...asked } = paramsOf(task);
    return isOfCall(task, call) || (isOpen(task) && isDeepStrictEqual({ ...asked, version: 1 }, params));
  };
  const running = (await deps.tasks.list(roomId, DELETE_ROOM)).find(isSame);
  if (running) return { params, call, isSame, running, isUnknown: false };
  const room = await deps.rooms.findOne({ _id: roomId }, { projection: { _id: 1 } });
  if (!room && !params.block) throw refuse.unknown('The room is not known here');
  if (room) await requireNewRoom(deps, params);
  return { params, call, isSame, running, isUnknown: !room };
}
