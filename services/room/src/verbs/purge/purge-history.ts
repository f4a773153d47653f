import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { clampToSafe } from '@steward/kernel';
import type { PurgeHistoryRequest } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { callId, raiseDeferred, raiseDeferredOf, requester, waiveDeferred } from '@steward/rpc';
import { loadRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { beginPurge, existingBoundary } from './begin-purge.ts';
import { findBoundary } from './find-boundary.ts';

/** Begins to purge the history of a room up to an event or a time (behaviour.md 8.1). */
export async function purgeHistory(deps: Deps, request: PurgeHistoryRequest, context: HandlerContext) {
  const { roomId, deleteLocalEvents, purgeUpToEventId, purgeUpToTs } = request;
  raiseDeferredOf(context, 'purge_up_to_event_id');
  if (purgeUpToEventId !== undefined) {
    const boundary = await existingBoundary(deps, roomId, purgeUpToEventId);
    // A request that names an event is not refused for its time, which is ignored.
    waiveDeferred(context);
    return beginPurge(deps, boundary, deleteLocalEvents, requester(context).userId, callId(context));
  }
  raiseDeferred(context);
  if (purgeUpToTs === undefined) throw refuse.badJson('The request names neither an event nor a time');
  const room = await loadRoom(deps, roomId);
  const boundary = room && (await findBoundary(deps, room, clampToSafe(purgeUpToTs)));
  if (!boundary) throw refuse.notFound('The room has nothing before that time');
  return beginPurge(deps, boundary, deleteLocalEvents, requester(context).userId, callId(context));
}
