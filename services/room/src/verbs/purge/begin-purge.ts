import { refuse } from '@steward/errors';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { PURGE_HISTORY, type PurgeParams } from '../../core/model/history-purge.ts';

/**
 * The event that a request names as the boundary of a purge.
 *
 * @throws refuse.notFound for an unknown event, refuse.unknown for one of another room
 */
export async function existingBoundary(deps: Deps, roomId: string, eventId: string): Promise<EventDocument> {
  await loadRoom(deps, roomId);
  const event = await deps.events.findOne({ _id: eventId });
  // The deletion of a room removes its events after the room.
  if (event?.arrival === undefined || !(await loadRoom(deps, event.room_id))) {
    throw refuse.notFound('Event not found');
  }
  if (event.room_id !== roomId) throw refuse.unknown('The event is of another room');
  return event;
}

/** Creates the task that purges the history before the boundary, once for each `id`. */
export async function beginPurge(
  deps: Pick<Deps, 'tasks'>,
  { room_id: key, depth, arrival = 0 }: Pick<EventDocument, 'room_id' | 'depth' | 'arrival'>,
  deleteLocal: boolean,
  requestedBy: string,
  id?: string,
): Promise<{ purgeId: string }> {
  const params: PurgeParams = { depth, arrival, deleteLocal };
  return { purgeId: await deps.tasks.createOnce({ id, kind: PURGE_HISTORY, key, params, requestedBy }) };
}
