import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { GetPresenceRequest, SetPresenceRequest } from '@steward/proto/steward/room/v1/signals_pb.ts';
import { requester } from '@steward/rpc';
import { isUserId } from '../../core/protocol/mod.ts';

/** Answers that the user is offline, because presence is not stored (client-plane.md 7.10). */
export async function getPresence({ userId }: GetPresenceRequest) {
  if (!isUserId(userId)) throw refuse.invalidParam('This is no user id');
  return { presence: 'offline' };
}

/** Accepts the caller's own presence, and does not store it (client-plane.md 7.10). */
export async function setPresence({ userId }: SetPresenceRequest, context: HandlerContext) {
  if (userId !== requester(context).userId) throw refuse.forbidden('Only for oneself');
  return {};
}
