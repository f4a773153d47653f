import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetPresenceRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { requester } from '@steward/rpc';

/** Accepts the caller's own presence, and does not store it (client-plane.md 7.10). */
export async function setPresence({ userId }: SetPresenceRequest, context: HandlerContext) {
  if (userId !== requester(context).userId) throw refuse.forbidden('You can set only your own presence');
  return {};
}
