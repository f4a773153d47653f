import type { Doc } from '@steward/store';

/** The state of a task. A `scheduled` one waits for the tasks before it, or for another attempt. */
export type TaskState = 'scheduled' | 'active' | 'complete' | 'failed' | 'cancelled';

/** The states of a task that has not ended. */
export const OPEN_STATES = ['scheduled', 'active'] as const satisfies readonly TaskState[];

/** The states of a task that has ended. */
export const ENDED_STATES = ['complete', 'failed', 'cancelled'] as const satisfies readonly TaskState[];

/** What happens to a task once, and is an event of the feed. */
export type TaskMilestone = 'created' | 'started' | 'ended';

/** The value of `requested_by` for tasks that the server creates by itself; administrators see null. */
export const BY_SERVER = '';

/** Work that outlives the process that created it. */
export interface Task extends Doc {
  readonly _id: string;
  /** The name of its `TaskKind`. */
  readonly kind: string;
  /** What the task works on, e.g. a room id: of the tasks of one key one runs at a time, in the order of their creation. */
  readonly key: string;
  /** JSON text. */
  readonly params: string;
  /** The id of the user who requested it, or `BY_SERVER`. */
  readonly requested_by: string;
  readonly state: TaskState;
  /** The step that it has reached: a name that its kind defines, empty at first. */
  readonly step: string;
  /** The position within the step, as JSON text. */
  readonly cursor: string;
  /** The number of things that are done. */
  readonly done: number;
  /** An estimate of the number of things in all; 0 for unknown. */
  readonly total: number;
  /** The result so far, as JSON text. */
  readonly result: string;
  /** Why it failed, or who cancelled it; present only in these states. */
  readonly error?: string;
  /** The number of attempts since its last progress. */
  readonly attempt: number;
  /** The instance that holds the lease, or held it last. */
  readonly owner: string;
  /** Fencing token: rises with each lease, so that writes of an earlier holder have no effect. */
  readonly token: number;
  /** When an instance may take it, in milliseconds since the Unix epoch; absent once it has ended. */
  readonly due?: number;
  /** Milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When its first attempt began; absent before. */
  readonly started_ts?: number;
  /** When it ended; absent before. */
  readonly finished_ts?: number;
  /** The id of the user who wants the holder of the lease to stop; absent when there is none. */
  readonly cancel?: string;
  /** Orders the tasks of a key by their creation. */
  readonly order: number;
  /** W3C trace context of the request that created it; absent when it is not recorded. */
  readonly traceparent?: string;
  /** The milestones that are not events of the feed yet, in their order; empty or absent for none. */
  readonly unannounced?: readonly { readonly milestone: TaskMilestone }[];
  /** When it is deleted, in milliseconds since the Unix epoch; absent until it has ended. */
  readonly keep_until?: number;
}

/** A piece of the result of a task, or of its input, if they are too large for one document. */
export interface TaskPart extends Doc {
  /** The task and the number. */
  readonly _id: string;
  readonly task: string;
  readonly number: number;
  /** JSON text. */
  readonly value: string;
}

/** The number of a piece of the input of a task: those of results are not negative. */
export function inputNumber(index: number): number {
  return -1 - index;
}

/** The head of the queue of a key: its task runs before all others of the key. */
export interface QueueHead extends Doc {
  /** The key. */
  readonly _id: string;
  readonly task: string;
}

/** The state of a task for APIs without cancellation: a cancelled task failed, with an error that names the user. */
export function legacyState({ state, error }: Task): {
  readonly state: Exclude<TaskState, 'cancelled'>;
  readonly error?: string;
} {
  return { state: state === 'cancelled' ? 'failed' : state, ...(error === undefined ? {} : { error }) };
}

/** Whether a task has not ended. */
export function isOpen({ state }: Pick<Task, 'state'>): boolean {
  return state === 'scheduled' || state === 'active';
}
