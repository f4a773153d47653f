import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type { PurgeHistoryUpToEventRequest } from '@steward/proto/steward/room/v1/history_purge_pb.ts';
import { callId, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { beginPurge, existingBoundary } from './begin-purge.ts';
import { purgePlan } from './purge-plan.ts';

/** Begins to purge the history of a room up to an event (behaviour.md 8.1). */
export async function purgeHistoryUpToEvent(
  deps: Deps,
  { roomId, eventId, deleteLocalEvents }: PurgeHistoryUpToEventRequest,
  context: HandlerContext,
) {
  const boundary = await existingBoundary(deps, roomId, eventId);
  return beginPurge(deps, boundary, deleteLocalEvents, requester(context).userId, callId(context));
}

/** Plans `purgeHistoryUpToEvent`. */
export async function planPurgeHistoryUpToEvent(
  deps: Deps,
  { roomId, eventId, deleteLocalEvents }: PurgeHistoryUpToEventRequest,
): Promise<Planned> {
  return purgePlan(deps, await existingBoundary(deps, roomId, eventId), deleteLocalEvents);
}
