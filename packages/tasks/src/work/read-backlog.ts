import type { Task, TaskState } from '../model/task.ts';
import type { TaskContext } from './context.ts';

/** The most tasks that are counted, because each is read. */
const MAX_COUNTED = 1_000;

/** Tasks of a kind in a state that have not ended. */
export interface OpenTasks {
  readonly kind: string;
  readonly state: Extract<TaskState, 'scheduled' | 'active'>;
  readonly count: number;
}

/** The tasks of a service that have not ended. */
export interface TaskBacklog {
  /** By kind and state, counted up to 1,000 in all. */
  readonly open: readonly OpenTasks[];
  /** The age of the oldest task that waits to run, in milliseconds; 0 for none. */
  readonly oldestWaitingMs: number;
}

/**
 * Reads how many tasks of a service have not ended. Every kind that this instance runs is included.
 *
 * @throws Unavailable
 */
export async function readBacklog({
  tasks,
  kinds,
  clock,
}: Pick<TaskContext, 'tasks' | 'kinds' | 'clock'>): Promise<TaskBacklog> {
  const counts = new Map<string, Record<OpenTasks['state'], number>>();
  const ofKind = (kind: string) => {
    const known = counts.get(kind) ?? { scheduled: 0, active: 0 };
    counts.set(kind, known);
    return known;
  };
  for (const kind of kinds.keys()) ofKind(kind);
  const open = tasks.find(
    { due: { $exists: true } },
    { sort: { due: 1 }, limit: MAX_COUNTED, projection: { kind: 1, state: 1 } },
  );
  for await (const { kind, state } of open) ofKind(kind)[state === 'active' ? 'active' : 'scheduled']++;
  const [oldest] = await tasks
    .find(
      { state: 'scheduled' },
      {
        sort: { created_ts: 1 },
        limit: 1,
        projection: { created_ts: 1 } satisfies { [K in keyof Task]?: 1 },
      },
    )
    .toArray();
  return {
    open: [...counts].flatMap(([kind, { scheduled, active }]) => [
      { kind, state: 'scheduled', count: scheduled },
      { kind, state: 'active', count: active },
    ]),
    oldestWaitingMs: oldest ? Math.max(0, clock.now() - oldest.created_ts) : 0,
  };
}
