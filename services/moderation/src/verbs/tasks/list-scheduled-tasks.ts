import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListScheduledTasksRequest,
  ListScheduledTasksResponseSchema,
  ScheduledTaskSchema,
} from '@steward/proto/steward/moderation/v1/tasks_pb.ts';
import type { Task } from '@steward/proto/steward/task/v1/tasks_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { TaskQuery } from '../../peers/tasks.ts';

/** The maximum number of tasks in an answer, because existing tools do not request further pages. */
const MAX_TASKS = 10_000;

/** The number of tasks in one read. */
const BATCH = 1_000;

/** Returns the tasks of all services in the order of their creation (behaviour.md 13.4). */
export async function listScheduledTasks(
  deps: Pick<Deps, 'tasks'>,
  { actionName: kinds, resourceId, status, jobStatus, maxTimestamp }: ListScheduledTasksRequest,
): Promise<MessageInitShape<typeof ListScheduledTasksResponseSchema>> {
  const query: TaskQuery = {
    limit: BATCH,
    kinds,
    states: [...status, ...jobStatus],
    ...(resourceId === undefined ? {} : { target: resourceId }),
    ...(maxTimestamp === undefined ? {} : { createdUntil: maxTimestamp }),
  };
  const found = await deps.tasks.list(query);
  const tasks = [...found];
  for (let page = found; page.length === BATCH && tasks.length < MAX_TASKS; ) {
    const { createdTs = 0n, id = '' } = page.at(-1) ?? {};
    page = await deps.tasks.list({ ...query, after: { createdTs, id } });
    tasks.push(...page);
  }
  return { scheduledTasks: tasks.reverse().map(present) };
}

function present(task: Task): MessageInitShape<typeof ScheduledTaskSchema> {
  const { id, kind: action, state: status, createdTs: timestampMs, target: resourceId, result, error } = task;
  return {
    ...{ id, action, status, timestampMs, resourceId },
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}
