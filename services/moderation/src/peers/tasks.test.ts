import { create } from '@bufbuild/protobuf';
import { type Task, TaskOwnerService, TaskSchema } from '@steward/proto/steward/task/v1/tasks_pb.ts';
import { createLocalTransport, route } from '@steward/rpc';
import { expect, it } from 'vitest';
import { tasksThrough } from './tasks.ts';

const task = (id: string, createdTs: number) => create(TaskSchema, { id, createdTs: BigInt(createdTs) });

/** A service with tasks, the newest first. */
function ownerOf(tasks: readonly Task[]) {
  const find = ({ taskId }: { taskId: string }) => {
    const found = tasks.find(({ id }) => id === taskId);
    return found ? { task: found } : {};
  };
  return createLocalTransport([
    route(TaskOwnerService, {
      listTasks: ({ limit }) => ({ tasks: tasks.slice(0, limit) }),
      findTask: find,
      cancelTask: find,
    }),
  ]);
}

it('merges the tasks of several services in one order, and finds each', async () => {
  const tasks = tasksThrough([
    ownerOf([task('e', 9), task('b', 5), task('a', 1)]),
    ownerOf([task('d', 5), task('c', 5)]),
    ownerOf([]),
  ]);
  const ids = async (limit: number) => (await tasks.list({ limit })).map(({ id }) => id);
  expect(await ids(10)).toEqual(['e', 'd', 'c', 'b', 'a']);
  expect(await ids(2)).toEqual(['e', 'd']);
  expect((await tasks.find('c'))?.id).toBe('c');
  expect((await tasks.cancel('a', '@x:test'))?.id).toBe('a');
  expect(await tasks.find('x')).toBeUndefined();
});
