import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { JsonObject } from '@steward/kernel';
import type { InviteRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, type Requester, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { changeMembership } from '../../core/membership/change-membership.ts';
import { isUserId } from '../../core/protocol/mod.ts';
import { inventEventId } from '../../core/reading/transaction.ts';
import { pretend } from '../../core/refusals/delay-as-shadow-banned.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';

/** Invites a user (client-plane.md 7.9). */
export async function invite(deps: Deps, request: InviteRequest, context: HandlerContext) {
  if (!isUserId(request.userId)) throw refuse.invalidParam("'user_id' is no user id");
  const given = request.reason === undefined ? {} : { reason: request.reason };
  await inviteTo(
    deps,
    requester(context),
    request.roomId,
    request.userId,
    given,
    context.requestHeader.get(headers.traceparent),
  );
  return {};
}

/** Makes the caller invite a user; returns the id of the member event, or of one that is pretended. */
export async function inviteTo(
  deps: Deps,
  caller: Requester,
  roomId: string,
  target: string,
  given: JsonObject,
  traceparent: string | null,
): Promise<string> {
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  if (caller.shadowBanned) {
    await pretend(deps);
    return inventEventId(deps, JSON.stringify([roomId, caller.userId, target]));
  }
  const { limits } = deps;
  limits.invitesPerRoom.check(roomId);
  limits.invitesPerUser.check(target);
  limits.invitesPerIssuer.take(caller);
  limits.invitesPerRoom.take(roomId);
  limits.invitesPerUser.take(target);
  return changeMembership(
    deps,
    { roomId, sender: caller.userId, target, membership: 'invite', given, action: 'invite' },
    { traceparent: traceparent ?? '' },
  );
}
