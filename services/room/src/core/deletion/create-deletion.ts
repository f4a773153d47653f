import { createHash } from 'node:crypto';
import { idOf } from '@steward/kernel';
import { Conflict } from '@steward/store';
import { isOpen, type Task } from '@steward/tasks';
import type { Deps } from '../deps.ts';
import { DELETE_ROOM, type DeletionParams } from './deletion.ts';

/**
 * Creates the task that deletes a room. Its id follows from the previous deletion of the room, so that of several
 * processes which create one at the same time exactly one does.
 *
 * @param meets called with each deletion of the room that has not ended; returns whether it serves the request
 * @returns the id of the task: a new one, or one that serves the request
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
  const fitting = known.filter(isOpen).find(meets);
  if (fitting) return fitting._id;
  for (let before = known.at(-1)?._id ?? ''; ; ) {
    const id = idOf(
      createHash('sha256')
        .update(JSON.stringify([DELETE_ROOM, roomId, before]))
        .digest(),
    );
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
