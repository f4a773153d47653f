import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetRoomDeletionRequest,
  GetRoomDeletionResponseSchema,
} from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { DELETE_ROOM } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { isReported, progressOf } from './deletion-progress.ts';

/** Reports the progress of a deletion (behaviour.md 10.12). */
export async function getRoomDeletion(
  deps: Pick<Deps, 'tasks'>,
  { deleteId }: GetRoomDeletionRequest,
): Promise<MessageInitShape<typeof GetRoomDeletionResponseSchema>> {
  const task = await deps.tasks.find(deleteId);
  if (task?.kind !== DELETE_ROOM || !isReported(task)) throw refuse.notFound('There is no such deletion');
  return progressOf(deps, task);
}
