import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type {
  GetHistoryPurgeRequest,
  GetHistoryPurgeResponseSchema,
} from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { isOpen, legacyState } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import { PURGE_HISTORY } from '../../core/model/history-purge.ts';

/** Reports the state of a purge (behaviour.md 8.2). */
export async function getHistoryPurge(
  deps: Pick<Deps, 'tasks'>,
  { purgeId }: GetHistoryPurgeRequest,
): Promise<MessageInitShape<typeof GetHistoryPurgeResponseSchema>> {
  const task = await deps.tasks.find(purgeId);
  if (task?.kind !== PURGE_HISTORY) throw refuse.notFound('There is no such purge');
  const { state, ...failure } = legacyState(task);
  return { status: isOpen(task) ? 'active' : state, ...failure };
}
