import type { MessageInitShape } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import {
  type ListTasksRequestSchema,
  type Task,
  TaskOwnerService,
} from '@steward/proto/steward/task/v1/tasks_pb.ts';
import { callPeer } from '@steward/rpc';

/** Which tasks a page has, and how many of them. */
export type TaskQuery = MessageInitShape<typeof ListTasksRequestSchema> & { readonly limit: number };

/** The tasks of all services that have some. */
export interface Tasks {
  /** The newest of the tasks that match, in this order: at most `limit` of them, which is at most 1,000. */
  list(query: TaskQuery): Promise<readonly Task[]>;
  /** A task of any service. */
  find(taskId: string): Promise<Task | undefined>;
  /**
   * Cancels a task of any service. May be repeated.
   *
   * @returns the task; `undefined` when no service has it
   * @throws refuse.tooLate when it has ended otherwise, or come too far
   */
  cancel(taskId: string, userId: string): Promise<Task | undefined>;
}

/**
 * Asks the services behind some transports, all at the same time, and puts together what they say. When one of
 * them cannot be reached, callers are refused as unavailable.
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
