import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetRoomDeletionRequest,
  GetRoomDeletionResponseSchema,
  ListRoomDeletionsRequest,
  ListRoomDeletionsResponseSchema,
} from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { isOpen, standingOf, type Task } from '@steward/tasks';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import { DELETE_ROOM, PURGING, paramsOf } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { outcomeOf } from './deletion.ts';

/** How far a deletion has come (behaviour.md 10.12). */
export async function getRoomDeletion(
  deps: Pick<Deps, 'tasks'>,
  { deleteId }: GetRoomDeletionRequest,
): Promise<MessageInitShape<typeof GetRoomDeletionResponseSchema>> {
  const task = await deps.tasks.find(deleteId);
  if (task?.kind !== DELETE_ROOM || !isReported(task)) throw refuse.notFound('There is no such deletion');
  return progressOf(deps, task);
}

/** How far the deletions of a room have come, the oldest first (behaviour.md 10.12). */
export async function listRoomDeletions(
  deps: Pick<Deps, 'tasks'>,
  { roomId }: ListRoomDeletionsRequest,
): Promise<MessageInitShape<typeof ListRoomDeletionsResponseSchema>> {
  requireRoomId(roomId);
  const tasks = (await deps.tasks.list(roomId, DELETE_ROOM)).filter(isReported);
  if (tasks.length === 0) throw refuse.notFound('No deletion of the room is known');
  const results = [];
  for (const task of tasks) results.push({ deleteId: task._id, roomId, ...(await progressOf(deps, task)) });
  return { results };
}

/** Whether progress of a deletion is reported: the other endpoint waits for its deletions. */
function isReported(task: Task): boolean {
  return paramsOf(task).version === 2;
}

async function progressOf(deps: Pick<Deps, 'tasks'>, task: Task) {
  const { state, ...failure } = standingOf(task);
  const stage = task.step === PURGING ? 'purging' : 'shutting_down';
  return {
    status: isOpen(task) ? stage : state,
    ...failure,
    shutdownRoom: await outcomeOf(deps, task),
  };
}
