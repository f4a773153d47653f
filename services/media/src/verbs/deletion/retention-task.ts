import { createEachInterval, defineTask, type RunningTask, type TaskKind } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import type { Media } from '../../core/model/media.ts';
import { removeUnusedLocal, removeUnusedRemote } from './remove-unused.ts';

/** The name of tasks that delete unused media, as the settings say. */
export const MEDIA_RETENTION = 'media.retention';

/** How long unused media are kept; what has no value is kept for ever. In milliseconds. */
export interface MediaRetention {
  readonly intervalMs: number;
  readonly localMaxUnusedMs: number | undefined;
  readonly remoteMaxUnusedMs: number | undefined;
}

/** What a task deletes: media not used since these times, in milliseconds since the Unix epoch; null for none. */
interface Params {
  readonly localBefore: number | null;
  readonly remoteBefore: number | null;
}

/** No medium is smaller. */
const ANY_SIZE = -1;

/** Deletes media that were not used for too long, once in an interval. */
export function mediaRetentionTask(deps: Deps): TaskKind {
  return defineTask<Params>(MEDIA_RETENTION, {
    steps: [{ name: 'deleting', run: (task) => run(deps, task) }],
  });
}

/** Creates the task of the current interval. */
export async function scheduleMediaRetention(
  { tasks, clock }: Pick<Deps, 'tasks' | 'clock'>,
  { intervalMs, localMaxUnusedMs, remoteMaxUnusedMs }: MediaRetention,
): Promise<void> {
  if (localMaxUnusedMs === undefined && remoteMaxUnusedMs === undefined) return;
  const before = (maxUnusedMs: number | undefined) =>
    maxUnusedMs === undefined ? null : Math.max(0, clock.now() - maxUnusedMs);
  const params: Params = { localBefore: before(localMaxUnusedMs), remoteBefore: before(remoteMaxUnusedMs) };
  await createEachInterval(tasks, clock, { kind: MEDIA_RETENTION, intervalMs, params });
}

/** Deleted media are not found again, so an interrupted run begins anew. */
async function run(deps: Deps, task: RunningTask<Params>): Promise<void> {
  const { localBefore, remoteBefore } = task.params();
  const count = async (batches: AsyncIterable<readonly Media[]>) => {
    for await (const removed of batches) await task.save({ done: task.done + removed.length });
  };
  if (localBefore !== null) {
    await count(removeUnusedLocal(deps, { beforeTs: localBefore, sizeGt: ANY_SIZE, keepProfiles: true }));
  }
  if (remoteBefore !== null) await count(removeUnusedRemote(deps, remoteBefore));
}
