import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { findReadAccess, type ReadAccess } from './read-access.ts';
import { type VisibleEvent, visibleEvents } from './visible-events.ts';

/**
 * An event that a user may read, and what else of its room they may.
 *
 * @throws refuse.notFound for an unknown one, one of another room, and one that they may not read
 */
export async function existingEvent(
  deps: Deps,
  roomId: string,
  eventId: string,
  userId: string,
): Promise<{ readonly access: ReadAccess; readonly found: VisibleEvent }> {
  const access = await findReadAccess(deps, roomId, userId);
  const document = access && (await deps.events.findOne({ _id: eventId, room_id: roomId }));
  // Of what came after they left, members see what everybody may, so each event is judged by itself alone.
  const [found] =
    access && document?.arrival !== undefined ? await visibleEvents(deps, [document], access, userId) : [];
  if (!access || !found) throw refuse.notFound('Event not found');
  return { access, found };
}
