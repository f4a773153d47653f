import type { FindVisibleEventRequest } from '@steward/proto/steward/room/v1/reported_events_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { existingEvent } from '../../core/visibility/existing-event.ts';

/**
 * The sender of an event that a user wants to report (behaviour.md 9.3).
 *
 * @throws refuse.notFound for an unknown one, one of another room, and one that they may not read
 */
export async function findVisibleEvent(deps: Deps, { roomId, eventId, userId }: FindVisibleEventRequest) {
  const { found } = await existingEvent(deps, roomId, eventId, userId);
  return { sender: found.document.sender };
}
