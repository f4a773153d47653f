import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { findReadAccess, type ReadAccess } from './read-access.ts';
import { type VisibleEvent, visibleEvents } from './visible-events.ts';

/**
 * An event that a user may read, and the user's access to its room.
 *
 * @throws refuse.notFound for an unknown event, one of another room, and one that the user may not read
 */
export async function existingEvent(
  deps: Deps,
  roomId: string,
  eventId: string,
  userId: string,
): Promise<{ readonly access: ReadAccess; readonly found: VisibleEvent }> {
  const access = await findReadAccess(deps, roomId, userId);
  const document = access && (await deps.events.findOne({ _id: eventId, room_id: roomId }));
  // Former members may read later events if their visibility admits it, so the arrival of the access is not a limit.
  const [found] =
    access && document?.arrival !== undefined ? await visibleEvents(deps, [document], access, userId) : [];
  if (!access || !found) throw refuse.notFound('Event not found');
  return { access, found };
}
