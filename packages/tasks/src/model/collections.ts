import { type CollectionDeclaration, declareCollection } from '@steward/store';
import type { QueueHead, Task, TaskPart } from './task.ts';

/** The collections of a service's tasks. */
export interface TaskCollections {
  readonly tasks: CollectionDeclaration<Task>;
  readonly parts: CollectionDeclaration<TaskPart>;
  readonly heads: CollectionDeclaration<QueueHead>;
}

/**
 * Declares the collections of a service's tasks.
 *
 * @param service the name of the service, with which the names of its collections begin
 */
export function declareTasks(service: string): TaskCollections {
  return {
    tasks: declareCollection<Task>({
      name: `${service}.tasks`,
      shardKey: null,
      arrays: ['unannounced'],
      indexes: [
        { name: 'due', keys: [['due', 1]], sparse: true },
        {
          name: 'by_key',
          keys: [
            ['key', 1],
            ['order', 1],
          ],
        },
        { name: 'unannounced', keys: [['unannounced.milestone', 1]], sparse: true },
        { name: 'keep_until', keys: [['keep_until', 1]], sparse: true },
        { name: 'list', keys: [['created_ts', 1]] },
        ...(['key', 'kind', 'state', 'requested_by'] as const).map((path) => ({
          name: `list_by_${path}`,
          keys: [
            [path, 1],
            ['created_ts', 1],
          ] as const,
        })),
      ],
    }),
    parts: declareCollection<TaskPart>({
      name: `${service}.task_parts`,
      shardKey: null,
      indexes: [
        {
          name: 'by_task',
          keys: [
            ['task', 1],
            ['number', 1],
          ],
        },
      ],
    }),
    heads: declareCollection<QueueHead>({ name: `${service}.task_turns`, shardKey: null, indexes: [] }),
  };
}
