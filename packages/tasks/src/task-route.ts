import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import {
  type ListTasksRequest,
  TaskOwnerService,
  type TaskSchema,
} from '@steward/proto/steward/task/v1/tasks_pb.ts';
import { type Route, route } from '@steward/rpc';
import { NotCancellable } from './model/errors.ts';
import { BY_SERVER, isOpen, type Task, type TaskState } from './model/task.ts';
import type { Tasks } from './tasks.ts';

/** The most tasks in one response. */
const MAX_TASKS = 1_000;

/** The longest result in a response; a longer one is available from the endpoint that created the task. */
const MAX_RESULT_CHARACTERS = 4_096;

/** The RPCs with which other services list, find and cancel the tasks of this one. */
export function taskRoute(tasks: Tasks): Route {
  const response = (task: Task | undefined) => (task ? { task: render(tasks, task) } : {});
  return route(TaskOwnerService, {
    listTasks: (request) => listTasks(tasks, request),
    findTask: async ({ taskId }) => response(await tasks.find(taskId)),
    async cancelTask({ taskId, userId }) {
      try {
        return response(await tasks.cancel(taskId, userId));
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
  const cursor = after && { createdMs: Number(after.createdTs), id: after.id };
  const page = await tasks.page(selection, limit, cursor);
  return { tasks: page.map((task) => render(tasks, task)) };
}

function render(tasks: Tasks, task: Task): MessageInitShape<typeof TaskSchema> {
  const { started_ts: started, finished_ts: finished, error } = task;
  const result = JSON.stringify(tasks.resultOf(task));
  return {
    id: task._id,
    kind: task.kind,
    state: task.state,
    target: task.key,
    ...(task.requested_by === BY_SERVER ? {} : { requestedBy: task.requested_by }),
    createdTs: BigInt(task.created_ts),
    ...(started === undefined ? {} : { startedTs: BigInt(started) }),
    ...(finished === undefined ? {} : { finishedTs: BigInt(finished) }),
    progress: {
      done: BigInt(task.done),
      // Corrects an estimate that was too low.
      ...(task.total === 0 ? {} : { total: BigInt(Math.max(task.total, task.done)) }),
    },
    attempt: task.attempt,
    cancelling: task.cancel !== undefined && isOpen(task),
    ...(error === undefined ? {} : { error }),
    ...(result === undefined || result.length > MAX_RESULT_CHARACTERS ? {} : { result }),
  };
}
