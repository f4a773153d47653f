import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { RunningTask } from './running-task.ts';

/** What a caller must be entitled to for what a task does. */
export interface Entitlement {
  /** The scopes that are required. */
  readonly scopes: readonly Scope[];
  /** The user ids of accounts over which authority is required, see `requireAuthority`. */
  readonly accounts?: readonly string[];
}

/** A kind of task: what its tasks do. */
export interface TaskKind {
  /** Never changes, because stored tasks refer to it. */
  readonly name: string;
  /**
   * The steps from which on a task cannot be cancelled, because it must not stop half done. In all others it can stop at
   * any checkpoint for good.
   */
  readonly committedSteps?: readonly string[];
  /**
   * Undoes or completes what a task has begun, before the task ends as failed or cancelled. The task may have stopped at
   * any point, this can run twice, and checkpoints are no longer saved.
   */
  readonly compensate?: (task: RunningTask) => Promise<void>;
  /**
   * What the caller who ordered a task must still be entitled to whenever an attempt at it begins, or the task fails; tasks of the server
   * itself, and those in a committed step, go on. Absent for nothing.
   */
  readonly requires?: (task: RunningTask) => Entitlement;
  /** The result so far as administrators see it, as JSON; without it they see none. */
  readonly renderResult?: (result: unknown) => unknown;
  /**
   * Does the work, from the last checkpoint on. It can be interrupted at any point, and then runs again, perhaps on
   * another machine that begins before this one notices the loss of its lease. So all that it does must be idempotent.
   *
   * @throws TaskFailed to give up, TaskDeferred to go on later; any other error leads to another attempt
   */
  run(task: RunningTask): Promise<void>;
}
