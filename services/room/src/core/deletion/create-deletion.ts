import { idFrom } from '@steward/kernel';
import { Conflict } from '@steward/store';
import { isOpen, type Task } from '@steward/tasks';
import type { Deps } from '../deps.ts';
import { DELETE_ROOM, type DeletionParams } from './deletion.ts';

/**
 * Creates the task that deletes a room. Its id is derived from the previous deletion of the room, so that exactly one
 * of several concurrent requests creates it.
 *
 * @param meets called with each deletion of the room that has not ended; returns whether it serves the request
 * @returns the id of the new task, or of a running one that serves the request
 * @throws what `meets` throws
 */
export async function createDeletion(
  deps: Pick<Deps, 'tasks'>,
  roomId: string,
  params: DeletionParams,
  requestedBy: string,
  meets: (open: Task) => boolean,
): Promise<string> {
  const known = await deps.tasks.list(roomId, DELETE_ROOM);
  const serving = known.filter(isOpen).find(meets);
  if (serving) return serving._id;
  for (let before = known.at(-1)?._id ?? ''; ; ) {
    const id = idFrom([DELETE_ROOM, roomId, before]);
    try {
      return await deps.tasks.create({ id, kind: DELETE_ROOM, key: roomId, params, requestedBy });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
    const other = await deps.tasks.find(id);
    if (other && isOpen(other) && meets(other)) return id;
    before = id;
  }
}
