import type { FindVisibleEventRequest } from '@steward/proto/steward/room/v1/reported_events_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { existingEvent } from '../../core/visibility/existing-event.ts';

/**
 * Returns the sender of an event that a user reports (behaviour.md 9.3).
 *
 * @throws refuse.notFound for an unknown event, one of another room, and one that the user may not read
 */
export async function findVisibleEvent(deps: Deps, { roomId, eventId, userId }: FindVisibleEventRequest) {
  const { found } = await existingEvent(deps, roomId, eventId, userId);
  return { sender: found.document.sender };
}
