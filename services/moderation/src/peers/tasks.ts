import type { MessageInitShape } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import {
  type ListTasksRequestSchema,
  type Task,
  TaskOwnerService,
} from '@steward/proto/steward/task/v1/tasks_pb.ts';
import { callPeer } from '@steward/rpc';

/** The filter and the size of a page of tasks. */
export type TaskQuery = MessageInitShape<typeof ListTasksRequestSchema> & { readonly limit: number };

/** The tasks of all services that have tasks. */
export interface Tasks {
  /** The newest of the tasks that match, in this order: at most `limit` of them, which is at most 1,000. */
  list(query: TaskQuery): Promise<readonly Task[]>;
  /** A task of any service. */
  find(taskId: string): Promise<Task | undefined>;
  /**
   * Cancels a task of any service. It is idempotent.
   *
   * @returns the task; `undefined` when no service has it
   * @throws refuse.tooLate when it has ended in another way, or is past the point at which it can be cancelled
   */
  cancel(taskId: string, userId: string): Promise<Task | undefined>;
}

/**
 * Queries the services behind the transports concurrently, and merges their answers. When one of them cannot be
 * reached, callers are refused as unavailable.
 */
export function tasksThrough(transports: readonly Transport[]): Tasks {
  const owners = transports.map((transport) => createClient(TaskOwnerService, transport));
  const ofAny = async (ask: (owner: (typeof owners)[number]) => Promise<{ task?: Task | undefined }>) => {
    const answers = await Promise.all(owners.map((owner) => callPeer(() => ask(owner))));
    return answers.find(({ task }) => task !== undefined)?.task;
  };
  return {
    async list(query) {
      const pages = await Promise.all(owners.map((owner) => callPeer(() => owner.listTasks(query))));
      return pages
        .flatMap(({ tasks }) => tasks)
        .sort(newestFirst)
        .slice(0, query.limit);
    },
    find: (taskId) => ofAny((owner) => owner.findTask({ taskId })),
    cancel: (taskId, userId) => ofAny((owner) => owner.cancelTask({ taskId, userId })),
  };
}

/** The order in which each service lists its tasks. */
function newestFirst(a: Task, b: Task): number {
  if (a.createdTs !== b.createdTs) return a.createdTs > b.createdTs ? -1 : 1;
  return a.id > b.id ? -1 : 1;
}
