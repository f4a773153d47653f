import type { Doc } from '@steward/store';

/** What has become of a task. `scheduled` waits for its turn or for another attempt. */
export type TaskState = 'scheduled' | 'active' | 'complete' | 'failed' | 'cancelled';

/** The states of a task that is still to be worked on. */
export const OPEN_STATES = ['scheduled', 'active'] as const satisfies readonly TaskState[];

/** Work that outlives the process which it was asked of. */
export interface Task extends Doc {
  readonly _id: string;
  /** Names what is to be done, see `TaskKind`. */
  readonly kind: string;
  /** What it is done to: of the tasks of one key one runs at a time, in the order of their creation. */
  readonly key: string;
  /** JSON text. */
  readonly params: string;
  /** Who asked for it: a user id. */
  readonly requested_by: string;
  readonly state: TaskState;
  /** How far it has come: a name of its kind's, empty at first, and JSON text. */
  readonly step: string;
  readonly cursor: string;
  /** How many things have been done, and about how many there are; 0 for nobody knows. */
  readonly done: number;
  readonly total: number;
  /** What has come of it so far, as JSON text. */
  readonly result: string;
  /** What it failed of, or who cancelled it; only of a failed or cancelled one. */
  readonly error?: string;
  /** How often it was begun since it last came further. */
  readonly attempt: number;
  /** The instance that works on it, or was the last to. */
  readonly owner: string;
  /** Rises with each lease: what an earlier holder writes is void. */
  readonly token: number;
  /** From when on anybody may take it, in milliseconds since the Unix epoch; absent once it has ended. */
  readonly due?: number;
  /** Milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When it was begun for the first time, and when it ended; absent before that. */
  readonly started_ts?: number;
  readonly finished_ts?: number;
  /** Who wants whoever works on it to stop: a user id; absent when nobody does. */
  readonly cancel?: string;
  /** Puts the tasks of a key in the order of their creation. */
  readonly order: number;
  /** Until when it is remembered, in milliseconds since the Unix epoch; absent until it has ended. */
  readonly keep_until?: number;
}

/** A piece of what has come of a task, where all of it is too much for one document. */
export interface TaskPart extends Doc {
  /** The task and the number. */
  readonly _id: string;
  readonly task: string;
  readonly number: number;
  /** JSON text. */
  readonly value: string;
}

/** Whose turn it is among the tasks of a key. */
export interface TaskTurn extends Doc {
  /** The key. */
  readonly _id: string;
  readonly task: string;
}

/** How a task stands, for whoever knows nothing of cancelling: one that was cancelled failed of who did it. */
export function standingOf({ state, error }: Task): {
  readonly state: Exclude<TaskState, 'cancelled'>;
  readonly error?: string;
} {
  return { state: state === 'cancelled' ? 'failed' : state, ...(error === undefined ? {} : { error }) };
}

/** Whether a task is still to be worked on. */
export function isOpen({ state }: Pick<Task, 'state'>): boolean {
  return state === 'scheduled' || state === 'active';
}
