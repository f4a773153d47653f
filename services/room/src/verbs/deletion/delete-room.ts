import { isDeepStrictEqual } from 'node:util';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
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
import { DELETE_ROOM, isOfCall, paramsOf } from '../../core/deletion/deletion.ts';
import { requireScopeOfCreator } from '../../core/deletion/require-local-creator.ts';
import type { Deps } from '../../core/deps.ts';
import { requireNewRoom } from '../../core/moves/new-room.ts';
import { NO_OUTCOME, outcomeOf, readDeletion } from './deletion.ts';

/** The longest that a request waits for a deletion. */
const MAX_WAIT_MS = methodRules(RoomDeletionService.method.deleteRoom).maxWaitMs;

/**
 * Deletes a room, and waits until the deletion has ended (behaviour.md 10.10). An equal request waits for the same
 * deletion, which continues after the last waiting request has gone. After the end of a deletion that purged the room, the
 * room is unknown.
 */
export async function deleteRoom(
  deps: Deps,
  { roomId, ...request }: DeleteRoomRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteRoomResponseSchema>> {
  requireRoomId(roomId);
  const params = readDeletion({ roomId, ...request }, 1);
  await requireScopeOfCreator(deps, params, context);
  const call = callId(context);
  const isSame = (task: Task) => {
    const { call: _, ...asked } = paramsOf(task);
    return isOfCall(task, call) || (isOpen(task) && isDeepStrictEqual({ ...asked, version: 1 }, params));
  };
  const running = (await deps.tasks.list(roomId, DELETE_ROOM)).find(isSame);
  const { userId } = requester(context);
  if (!running) {
    const room = await deps.rooms.findOne({ _id: roomId }, { projection: { _id: 1 } });
    if (!room) {
      if (!params.block) throw refuse.unknown('The room is not known here');
      await blockRoom(deps, roomId, userId);
      return NO_OUTCOME;
    }
    await requireNewRoom(deps, params);
  }
  const id = running?._id ?? (await createDeletion(deps, roomId, { ...params, call }, userId, isSame));
  const ended = await deps.tasks.endedWithin(id, MAX_WAIT_MS, context.signal);
  if (!ended) throw refuse.unavailable('The deletion is still running; repeat the request to wait for it');
  if (ended.error !== undefined) throw refuse.unknown(ended.error);
  await deps.relay.delivered(roomId, deps.settings.deliveryWaitMs);
  return outcomeOf(deps, ended);
}
