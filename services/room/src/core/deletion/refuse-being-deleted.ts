import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { DELETE_ROOM } from './deletion.ts';

/**
 * Refuses joins of a room that is being deleted, because the deletion fails if a user joins after the others have left.
 *
 * @throws refuse.forbidden
 */
export async function refuseBeingDeleted({ tasks }: Pick<Deps, 'tasks'>, roomId: string): Promise<void> {
  if (await tasks.isAnyOpen(roomId, DELETE_ROOM)) throw refuse.forbidden('The room is being deleted');
}
