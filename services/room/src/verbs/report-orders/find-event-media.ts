import type { FindEventMediaRequest } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { originalEvent } from '../../core/model/event-form.ts';
import { mediaUrisOf } from '../../core/protocol/mod.ts';
import { loadEvents } from '../../core/reading/load-events.ts';

/** The content URIs that an event of a room showed when it was sent: a redaction does not remove them from the stored event. */
export async function findEventMedia(
  deps: Pick<Deps, 'events'>,
  { roomId, eventId }: FindEventMediaRequest,
): Promise<{ readonly uris: string[] }> {
  const found = (await loadEvents(deps, [eventId])).filter(({ room_id: room }) => room === roomId);
  return { uris: [...new Set(found.flatMap((document) => mediaUrisOf(originalEvent(document).event)))] };
}
