import { refuse } from '@steward/errors';
import type { SetReadMarkersRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { isEventId } from '../../core/protocol/mod.ts';

/** Accepts read markers, which are not distributed (client-plane.md 7.10). */
export async function setReadMarkers({ fullyRead, read, readPrivate }: SetReadMarkersRequest) {
  for (const eventId of [fullyRead, read, readPrivate]) {
    if (eventId !== undefined && !isEventId(eventId)) throw refuse.invalidParam('This is no event id');
  }
  return {};
}
