import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { CancelTaskRequest } from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';

/**
 * Cancels a task of any service. It is idempotent.
 *
 * @throws refuse.notFound, refuse.tooLate
 */
export async function cancelTask(
  deps: Pick<Deps, 'tasks'>,
  { taskId }: CancelTaskRequest,
  context: HandlerContext,
) {
  const task = await deps.tasks.cancel(taskId, requester(context).userId);
  if (!task) throw refuse.notFound('There is no such task');
  return { task };
}
