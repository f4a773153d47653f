/** Work that outlives the process which it was asked of. */
export { declareTasks, type TaskCollections } from './collections.ts';
export { LeaseLost, NotCancellable, TaskCancelled, TaskFailed } from './errors.ts';
export { type Checkpoint, type RunningTask, type TaskKind, WITH_WHAT_FOLLOWS } from './running-task.ts';
export { isOpen, standingOf, type Task, type TaskState } from './task.ts';
export { taskRoute } from './task-route.ts';
export {
  KEPT_MS,
  type NewTask,
  type TaskPlace,
  type TaskSelection,
  Tasks,
  type TasksOptions,
} from './tasks.ts';
