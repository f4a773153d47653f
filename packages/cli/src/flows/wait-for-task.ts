import type { Client, Task } from '@steward/sdk';
import type { Cli } from '../cli/cli.ts';
import { progressOn } from '../output/progress.ts';

/** Waits for a task, with a bar on a terminal. Ctrl-C ends the wait only, and says so. */
export async function waitForTask(cli: Cli, client: Client, id: string): Promise<Task> {
  const progress = progressOn(cli.io);
  try {
    return await client.tasks.wait(
      { task_id: id },
      {
        signal: cli.signal,
        onProgress: ({ kind, target, state, cancelling, progress: { done = 0, total = null } = {} }) =>
          progress.show(done, total, `${cancelling ? 'cancelling' : state} ${kind} ${target}`),
      },
    );
  } catch (error) {
    progress.clear();
    if (cli.signal.aborted)
      await cli.note(
        `Task ${id} goes on in the server. To wait again: stewardctl tasks wait ${id}; to end it: stewardctl tasks cancel ${id}`,
      );
    throw error;
  } finally {
    progress.clear();
  }
}
