import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import {
  type ListTasksRequest,
  TaskOwnerService,
  type TaskSchema,
} from '@steward/proto/steward/task/v1/tasks_pb.ts';
import { type Route, route } from '@steward/rpc';
import { NotCancellable } from './errors.ts';
import { isOpen, type Task, type TaskState } from './task.ts';
import type { Tasks } from './tasks.ts';

/** As many tasks as are told at once. */
const MAX_TASKS = 1_000;

/** A result that is longer is not told: whoever wants it asks the endpoint that began the task. */
const MAX_RESULT_CHARACTERS = 4_096;

/** What other services may ask about the tasks of one. */
export function taskRoute(tasks: Tasks): Route {
  const told = (task: Task | undefined) => (task ? { task: present(tasks, task) } : {});
  return route(TaskOwnerService, {
    listTasks: (request) => listTasks(tasks, request),
    findTask: async ({ taskId }) => told(await tasks.find(taskId)),
    async cancelTask({ taskId, userId }) {
      try {
        return told(await tasks.cancel(taskId, userId));
      } catch (error) {
        throw error instanceof NotCancellable ? refuse.tooLate(error.message) : error;
      }
    },
  });
}

async function listTasks(tasks: Tasks, request: ListTasksRequest) {
  const { kinds, states, target, requestedBy, createdFrom, createdUntil, limit, after } = request;
  if (limit < 0 || limit > MAX_TASKS) throw refuse.invalidParam(`At most ${MAX_TASKS} tasks at once`);
  const selection = {
    kinds,
    states: states as TaskState[],
    key: target,
    requestedBy,
    fromMs: createdFrom === undefined ? undefined : Number(createdFrom),
    untilMs: createdUntil === undefined ? undefined : Number(createdUntil),
  };
  const place = after && { createdMs: Number(after.createdTs), id: after.id };
  const page = await tasks.page(selection, limit, place);
  return { tasks: page.map((task) => present(tasks, task)) };
}

function present(tasks: Tasks, task: Task): MessageInitShape<typeof TaskSchema> {
  const { started_ts: started, finished_ts: finished, error } = task;
  const result = JSON.stringify(tasks.resultOf(task));
  return {
    id: task._id,
    kind: task.kind,
    state: task.state,
    target: task.key,
    ...(task.requested_by === '' ? {} : { requestedBy: task.requested_by }),
    createdTs: BigInt(task.created_ts),
    ...(started === undefined ? {} : { startedTs: BigInt(started) }),
    ...(finished === undefined ? {} : { finishedTs: BigInt(finished) }),
    progress: {
      done: BigInt(task.done),
      // A guess that was too low shows when it is exceeded.
      ...(task.total === 0 ? {} : { total: BigInt(Math.max(task.total, task.done)) }),
    },
    attempt: task.attempt,
    cancelling: task.cancel !== undefined && isOpen(task),
    ...(error === undefined ? {} : { error }),
    ...(result === undefined || result.length > MAX_RESULT_CHARACTERS ? {} : { result }),
  };
}
