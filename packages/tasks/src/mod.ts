/** Tasks: work that outlives the process that created it. */
export { createEachInterval } from './create-each-interval.ts';
export { defineTask, type TaskDefinition, type TaskStep } from './define-task.ts';
export { declareTasks, type TaskCollections } from './model/collections.ts';
export { TaskDeferred, TaskFailed } from './model/errors.ts';
export { BY_SERVER, isOpen, legacyState, type Task, type TaskState } from './model/task.ts';
export { taskRoute } from './task-route.ts';
export { Tasks, type TasksOptions } from './tasks.ts';
export type { TaskBacklog } from './work/read-backlog.ts';
export type { NewTask } from './work/repository.ts';
export type { Checkpoint, RunningTask } from './work/running-task.ts';
export type { TaskCursor, TaskSelection } from './work/task-filter.ts';
export type { Entitlement, TaskKind } from './work/task-kind.ts';
