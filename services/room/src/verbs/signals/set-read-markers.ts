import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetReadMarkersRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { FULLY_READ } from '../../core/model/receipt.ts';
import { isEventId } from '../../core/protocol/mod.ts';
import { markRead } from '../../core/receipts/mark-read.ts';

/** Moves the caller's marker and receipts of a room forward (client-plane.md 7.10, 12). */
export async function setReadMarkers(deps: Deps, request: SetReadMarkersRequest, context: HandlerContext) {
  const { roomId, fullyRead, read, readPrivate } = request;
  const { userId } = requester(context);
  const markers = [
    [FULLY_READ, fullyRead],
    ['m.read', read],
    ['m.read.private', readPrivate],
  ] as const;
  for (const [, eventId] of markers) {
    if (eventId !== undefined && !isEventId(eventId)) throw refuse.invalidParam('This is not an event id');
  }
  for (const [type, eventId] of markers) {
    if (eventId !== undefined) await markRead(deps, { roomId, userId, eventId, type, thread_id: '' });
  }
  return {};
}
