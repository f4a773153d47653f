import { TaskDeferred } from './model/errors.ts';
import type { RunningTask } from './work/running-task.ts';
import type { Entitlement, TaskKind } from './work/task-kind.ts';

/** The pause of a task in a step that only a later release knows, in milliseconds: an instance of that takes it. */
const UNKNOWN_STEP_PAUSE_MS = 5_000;

/** A step of a task. `C` is its cursor, which is absent when it begins; without one, it begins anew after an interruption. */
export interface TaskStep<P, C = undefined> {
  /** Never changes, because stored tasks refer to it; the first step is stored as an empty name. */
  readonly name: string;
  /** Whether a task in this step cannot be cancelled, because it must not stop half done. In all others it can stop at any checkpoint. */
  readonly committed?: boolean;
  /** Whether a task has this step; asked before it begins. The first step always applies. */
  applies?(task: RunningTask<P>): boolean;
  /** Reads a cursor that an earlier release may have stored in this step, if that has another shape; `undefined` for a beginning. */
  cursorOf?(stored: unknown): C | undefined;
  /**
   * Does the work from the last checkpoint on, as `TaskKind.run` does.
   *
   * @returns `end` to leave out the following steps and `finish`
   */
  run(task: RunningTask<P, C>): Promise<unknown>;
  /** Undoes or completes what this step has begun, as `TaskKind.compensate` does. */
  compensate?(task: RunningTask<P, C>): Promise<void>;
}

/** What the tasks of a kind do. `P` is the type of their parameters. */
export interface TaskDefinition<P> {
  /** The steps, in their order. */
  readonly steps: readonly TaskStep<P, unknown>[];
  /** Runs after the last step, within it. */
  finish?(task: RunningTask<P>): Promise<void>;
  /** See `TaskKind.requires`. */
  requires?(task: RunningTask<P>): Entitlement;
  /** See `TaskKind.renderResult`. */
  renderResult?(result: unknown): unknown;
}

/**
 * Defines a kind of tasks. They go through the steps in their order; a checkpoint is saved when a step is entered, and clears the cursor.
 *
 * @param kind the name, which never changes, because stored tasks refer to it
 */
export function defineTask<P>(kind: string, { steps, finish, ...others }: TaskDefinition<P>): TaskKind {
  const indexOf = (task: RunningTask) =>
    task.step === '' ? 0 : steps.findIndex(({ name }) => name === task.step);
  const run = async (task: RunningTask<P>) => {
    const reached = indexOf(task);
    if (reached < 0) throw new TaskDeferred(UNKNOWN_STEP_PAUSE_MS);
    for (const [index, step] of steps.entries()) {
      if (index < reached) continue;
      if (index === reached) await readEarlier(step, task);
      else if (step.applies?.(task) ?? true) await task.save({ step: step.name, cursor: null });
      else continue;
      if ((await step.run(task)) === 'end') return;
    }
    await finish?.(task);
  };
  return {
    ...others,
    name: kind,
    committedSteps: steps.flatMap(({ name, committed }) => (committed ? [name] : [])),
    run,
    ...(steps.some(({ compensate }) => compensate)
      ? { compensate: async (task) => steps[indexOf(task)]?.compensate?.(task as RunningTask<P>) }
      : {}),
  };
}

/** Stores the cursor of an earlier release in the shape of this one. */
async function readEarlier<P>(step: TaskStep<P, unknown>, task: RunningTask<P>): Promise<void> {
  const stored = task.cursor();
  if (stored === undefined || !step.cursorOf) return;
  const read = step.cursorOf(stored);
  if (read !== stored) await task.save({ cursor: read ?? null });
}
