import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  PurgeHistoryRequest,
  PurgeHistoryUpToEventRequest,
} from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { raiseDeferred, raiseDeferredOf, requester, waiveDeferred } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { clampToSafe } from '../../core/model/clamp-to-safe.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { PURGE_HISTORY, type PurgeParams } from '../../core/model/history-purge.ts';
import { findBoundary } from './find-boundary.ts';

/** Begins to purge the history of a room up to an event or a time (behaviour.md 8.1). */
export async function purgeHistory(deps: Deps, request: PurgeHistoryRequest, context: HandlerContext) {
  const { roomId, deleteLocalEvents, purgeUpToEventId, purgeUpToTs } = request;
  raiseDeferredOf(context, 'purge_up_to_event_id');
  if (purgeUpToEventId !== undefined) {
    const boundary = await existingBoundary(deps, roomId, purgeUpToEventId);
    // The time is not read beside an event.
    waiveDeferred(context);
    return begin(deps, boundary, deleteLocalEvents, requester(context).userId);
  }
  raiseDeferred(context);
  if (purgeUpToTs === undefined) throw refuse.badJson('Up to which event or time to purge is not said');
  const room = await loadRoom(deps, roomId);
  const boundary = room && (await findBoundary(deps, room, clampToSafe(purgeUpToTs)));
  if (!boundary) throw refuse.notFound('The room has nothing before that time');
  return begin(deps, boundary, deleteLocalEvents, requester(context).userId);
}

/** Begins to purge the history of a room up to an event (behaviour.md 8.1). */
export async function purgeHistoryUpToEvent(
  deps: Deps,
  { roomId, eventId, deleteLocalEvents }: PurgeHistoryUpToEventRequest,
  context: HandlerContext,
) {
  const boundary = await existingBoundary(deps, roomId, eventId);
  return begin(deps, boundary, deleteLocalEvents, requester(context).userId);
}

/** @throws refuse.notFound for an unknown event, refuse.unknown for one of another room */
async function existingBoundary(deps: Deps, roomId: string, eventId: string): Promise<EventDocument> {
  await loadRoom(deps, roomId);
  const event = await deps.events.findOne({ _id: eventId });
  // An event goes after its room.
  if (event?.arrival === undefined || !(await loadRoom(deps, event.room_id))) {
    throw refuse.notFound('Event not found');
  }
  if (event.room_id !== roomId) throw refuse.unknown('The event is of another room');
  return event;
}

async function begin(
  deps: Pick<Deps, 'tasks'>,
  { room_id: key, depth, arrival = 0 }: EventDocument,
  deleteLocal: boolean,
  requestedBy: string,
) {
  const params: PurgeParams = { depth, arrival, deleteLocal };
  return { purgeId: await deps.tasks.create({ kind: PURGE_HISTORY, key, params, requestedBy }) };
}
