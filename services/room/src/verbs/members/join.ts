import type { HandlerContext } from '@connectrpc/connect';
import { headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { enterRoom } from '../../core/membership/enter-room.ts';

/** Joins the caller to a room; returns the response of both endpoints for joining. */
export async function join(
  deps: Deps,
  roomId: string,
  reason: string | undefined,
  context: HandlerContext,
): Promise<{ roomId: string }> {
  const given = reason === undefined ? {} : { reason };
  await enterRoom(deps, requester(context), roomId, given, context.requestHeader.get(headers.traceparent));
  return { roomId };
}
