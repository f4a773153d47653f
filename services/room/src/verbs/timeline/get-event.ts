import type { HandlerContext } from '@connectrpc/connect';
import type { GetEventRequest } from '@steward/proto/steward/room/v1/events_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { existingEvent } from '../../core/visibility/existing-event.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';

/** Returns an event; an event that the caller may not read is answered as unknown (client-plane.md 6.2, 7.10). */
export async function getEvent(deps: Deps, request: GetEventRequest, context: HandlerContext) {
  const caller = requester(context);
  const { access, found } = await existingEvent(deps, request.roomId, request.eventId, caller.userId);
  const [event = ''] = await showEvents(deps, [found], clientOptionsOf(deps, access, caller));
  return { event };
}
