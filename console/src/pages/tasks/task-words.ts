import type { Task } from '@steward/sdk';

const ENDED: ReadonlySet<string> = new Set(['complete', 'failed', 'cancelled']);

/** Whether nothing changes of a task any more. */
export function isEnded({ state }: Pick<Task, 'state'>): boolean {
  return ENDED.has(state);
}

/** The message that says how far a task is, or how far it got. Its total may be unknown to the end. */
export function progressKeyOf(task: Pick<Task, 'state' | 'progress'>): 'of' | 'count' | 'count_ended' {
  if ((task.progress?.total ?? null) !== null) return 'of';
  return isEnded(task) ? 'count_ended' : 'count';
}

/** The message in place of a result that a task does not have. */
export function noResultKeyOf(task: Pick<Task, 'state'>): 'result_none' | 'result_never' {
  return isEnded(task) ? 'result_never' : 'result_none';
}
