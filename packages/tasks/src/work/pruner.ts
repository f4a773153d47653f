import { repeat } from '@steward/kernel';
import { removeInBatches } from '@steward/store';
import type { TaskContext } from './context.ts';

/** How often expired tasks are deleted. */
const INTERVAL_MS = 60_000;
/** Documents that are read and deleted at a time. */
const BATCH = 200;

/** Deletes expired tasks, and makes the events that crashed processes have not made, from now on. Several instances may do so at once. */
export function startPruner(context: TaskContext): { close(): Promise<void> } {
  const run = async () => {
    await context.announcer.sweep();
    await prune(context);
  };
  return repeat(run, {
    intervalMs: INTERVAL_MS,
    onFault: (error) => context.report('expired tasks were not deleted', { error }),
  });
}

async function prune(context: TaskContext): Promise<void> {
  const { tasks, heads, clock } = context;
  const expired = { keep_until: { $lte: clock.now() } };
  for (;;) {
    const found = await tasks.find(expired, { projection: { key: 1 }, limit: BATCH }).toArray();
    for (const { _id, key } of found) {
      await removeInBatches(context.parts, { task: _id });
      await heads.deleteOne({ _id: key, task: _id });
      await tasks.deleteOne({ _id });
    }
    if (found.length < BATCH) return;
  }
}
