import { type Meters, remembered } from '@steward/telemetry';
import type { TaskContext } from './context.ts';
import { readBacklog } from './read-backlog.ts';

const MS_PER_S = 1_000;

/** Adds the tasks of a service that have not ended to the metrics. */
export function meterTasks(
  service: string,
  context: Pick<TaskContext, 'tasks' | 'kinds' | 'clock'>,
  meters: Pick<Meters, 'gauge'>,
): void {
  const backlog = remembered(() => readBacklog(context));
  meters
    .gauge('steward_tasks')
    .from(async () =>
      (await backlog()).open.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
    );
  meters
    .gauge('steward_tasks_oldest_waiting_seconds')
    .from(async () => [{ labels: { service }, value: (await backlog()).oldestWaitingMs / MS_PER_S }]);
}
