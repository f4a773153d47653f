import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { FetchEventRequest } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import { federationForm } from '../../core/protocol/mod.ts';
import { recordPrivateRead } from '../../core/visibility/record-private-read.ts';

/** Returns an event of any room in its stored form, redacted if it has been (behaviour.md 13.5). */
export async function fetchEvent(deps: Deps, { eventId }: FetchEventRequest, context: HandlerContext) {
  const document = await deps.events.findOne({ _id: eventId });
  if (document?.arrival === undefined) throw refuse.notFound('Event not found');
  const { room_id: roomId } = document;
  await recordPrivateRead(context, await loadRoom(deps, roomId), [roomId]);
  const { ordered_by: orderedBy } = document;
  const event = federationForm(toRoomEvent(document), { orderedBy });
  return { event: JSON.stringify({ ...event, event_id: eventId, room_id: roomId }) };
}
