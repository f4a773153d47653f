import type { CallOptions } from '../core/options.ts';
import { backOffMs, pause } from '../core/pause.ts';
import type { Task } from '../gen/schemas.ts';

/** How to wait for a task. */
export interface WaitOptions extends CallOptions {
  /** Called with the task when it is first read, and after each change of it. */
  readonly onProgress?: ((task: Task) => void) | undefined;
  /** The longest pause between two reads, in milliseconds; 5,000 when unset. */
  readonly longestPauseMs?: number | undefined;
}

/** The states in which a task stays. */
const ENDED: ReadonlySet<string> = new Set(['complete', 'failed', 'cancelled']);
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** As many repetitions as outlast a server that is away for half a minute, as when it is restarted. */
const RETRIES = 10;

/**
 * Waits until a task ends, and returns it: complete, failed or cancelled, as its `state` says. Reads it in pauses that
 * grow while it does not change, and outlasts a restart of the server. Ending the wait with the signal leaves the task running.
 */
export async function waitForTask(
  read: (options: CallOptions) => Promise<Task>,
  { onProgress, longestPauseMs = LONGEST_PAUSE_MS, ...options }: WaitOptions,
): Promise<Task> {
  let seen: string | undefined;
  for (let unchanged = 0; ; unchanged++) {
    // Whether the server is there at all is known soon.
    const task = await read(seen === undefined ? options : { maxRetries: RETRIES, ...options });
    const state = JSON.stringify(task);
    if (state !== seen) {
      seen = state;
      unchanged = 0;
      onProgress?.(task);
    }
    if (ENDED.has(task.state)) return task;
    await pause(backOffMs(unchanged, FIRST_PAUSE_MS, longestPauseMs), options.signal);
  }
}
