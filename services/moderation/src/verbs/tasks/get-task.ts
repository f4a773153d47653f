import { refuse } from '@steward/errors';
import type { GetTaskRequest } from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import type { Deps } from '../../core/deps.ts';

/**
 * Returns a task of any service.
 *
 * @throws refuse.notFound
 */
export async function getTask(deps: Pick<Deps, 'tasks'>, { taskId }: GetTaskRequest) {
  const task = await deps.tasks.find(taskId);
  if (!task) throw refuse.notFound('There is no such task');
  return { task };
}
