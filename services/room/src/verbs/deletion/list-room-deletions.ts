import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  ListRoomDeletionsRequest,
  ListRoomDeletionsResponseSchema,
} from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { requireRoomId } from '../../core/aliases/named-room.ts';
import { DELETE_ROOM } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { isReported, progressOf } from './deletion-progress.ts';

/** Reports the progress of the deletions of a room, the oldest first (behaviour.md 10.12). */
export async function listRoomDeletions(
  deps: Pick<Deps, 'tasks'>,
  { roomId }: ListRoomDeletionsRequest,
): Promise<MessageInitShape<typeof ListRoomDeletionsResponseSchema>> {
  requireRoomId(roomId);
  const tasks = (await deps.tasks.list(roomId, DELETE_ROOM)).filter(isReported);
  if (tasks.length === 0) throw refuse.notFound('No deletion of the room is known');
  const results = [];
  for (const task of tasks) results.push(await progressOf(deps, task));
  return { results };
}
