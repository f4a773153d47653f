import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { GetStateEventRequest } from '@steward/proto/steward/room/v1/events_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { toRoomEvent } from '../../core/model/event-form.ts';
import { toClientEvents } from '../../core/reading/client-events.ts';
import { stateEventAt } from '../../core/reading/state-at.ts';
import { readAccess } from '../../core/visibility/read-access.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';

/** Returns a state event, or its content (client-plane.md 7.10). */
export async function getStateEvent(deps: Deps, request: GetStateEventRequest, context: HandlerContext) {
  const caller = requester(context);
  const access = await readAccess(deps, request.roomId, caller.userId);
  const document = await stateEventAt(deps, access, request.eventType, request.stateKey);
  if (!document) throw refuse.notFound('There is no such state');
  if (request.format !== 'event') return { event: JSON.stringify(toRoomEvent(document).event.content) };
  const [event = ''] = await toClientEvents(deps, [document], clientOptionsOf(deps, access, caller));
  return { event };
}
