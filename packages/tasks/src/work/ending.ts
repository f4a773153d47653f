import type { Update } from '@steward/store';
import { TaskCancelled, TaskFailed } from '../model/errors.ts';
import type { Task } from '../model/task.ts';

/** How long an ended task is kept. */
export const KEPT_MS = 24 * 60 * 60_000;

/** How a task ended. */
export type Ending =
  | { readonly state: 'complete' }
  | { readonly state: 'failed' | 'cancelled'; readonly error: string };

/** How a task ends that threw an error; `undefined` when it is tried again. */
export function endingAfter(error: unknown, signal: AbortSignal): Ending | undefined {
  if (error instanceof TaskFailed) return { state: 'failed', error: error.message };
  // Once the work must stop, the error that stopped it does not matter.
  const reason: unknown = signal.aborted ? signal.reason : error;
  return reason instanceof TaskCancelled ? { state: 'cancelled', error: reason.message } : undefined;
}

/** The update that ends a task. */
export function endedWith(ending: Ending, now: number): Update<Task> {
  return {
    $set: { ...ending, finished_ts: now, keep_until: now + KEPT_MS },
    $push: { unannounced: { milestone: 'ended' } },
    $unset: { due: true },
  };
}
