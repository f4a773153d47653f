import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { Planned } from '@steward/plans';
import type { PurgeHistoryRequest } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { callId, raiseDeferred, raiseDeferredOf, requester, waiveDeferred } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { beginPurge, existingBoundary } from './begin-purge.ts';
import { findBoundary } from './find-boundary.ts';
import { purgePlan } from './purge-plan.ts';

/** Begins to purge the history of a room up to an event or a time (behaviour.md 8.1). */
export async function purgeHistory(deps: Deps, request: PurgeHistoryRequest, context: HandlerContext) {
  const boundary = await boundaryOf(deps, request, context);
  return beginPurge(deps, boundary, request.deleteLocalEvents, requester(context).userId, callId(context));
}

/** Plans `purgeHistory`. */
export async function planPurgeHistory(
  deps: Deps,
  request: PurgeHistoryRequest,
  context: HandlerContext,
): Promise<Planned> {
  return purgePlan(deps, await boundaryOf(deps, request, context), request.deleteLocalEvents);
}

async function boundaryOf(
  deps: Deps,
  { roomId, purgeUpToEventId, purgeUpToTs }: PurgeHistoryRequest,
  context: HandlerContext,
): Promise<EventDocument> {
  raiseDeferredOf(context, 'purge_up_to_event_id');
  if (purgeUpToEventId !== undefined) {
    const boundary = await existingBoundary(deps, roomId, purgeUpToEventId);
    // A request that names an event is not refused for its time, which is ignored.
    waiveDeferred(context);
    return boundary;
  }
  raiseDeferred(context);
  if (purgeUpToTs === undefined) throw refuse.badJson('The request names neither an event nor a time');
  const room = await loadRoom(deps, roomId);
  const boundary = room && (await findBoundary(deps, room, clampToSafe(purgeUpToTs)));
  if (!boundary) throw refuse.notFound('The room has nothing before that time');
  return boundary;
}
