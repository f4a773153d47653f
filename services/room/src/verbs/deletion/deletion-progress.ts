import { isOpen, legacyState, type Task } from '@steward/tasks';
import { paramsOf } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { outcomeOf } from './deletion.ts';

/** Whether the progress of a deletion is reported: requests of version 1 wait for their deletion instead. */
export function isReported(task: Task): boolean {
  return paramsOf(task).version === 2;
}

/** A deletion and its progress. */
export async function progressOf(deps: Pick<Deps, 'tasks'>, task: Task) {
  const { state, ...failure } = legacyState(task);
  const stage = deps.tasks.isCommitted(task) ? 'purging' : 'shutting_down';
  return {
    deleteId: task._id,
    roomId: task.key,
    status: isOpen(task) ? stage : state,
    ...failure,
    shutdownRoom: await outcomeOf(deps, task),
  };
}
