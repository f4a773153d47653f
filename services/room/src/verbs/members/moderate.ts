import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { BanRequest, KickRequest, UnbanRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { requestMembership } from '../../core/membership/change-membership.ts';
import { isUserId, type Membership, type MembershipAction } from '../../core/protocol/mod.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';

/** Kicks, bans or unbans a user, as the action says. */
export async function moderate(
  deps: Deps,
  request: KickRequest | BanRequest | UnbanRequest,
  context: HandlerContext,
  action: MembershipAction,
  membership: Membership,
) {
  const caller = requester(context);
  const { roomId, userId: target, reason } = request;
  if (!isUserId(target)) throw refuse.invalidParam("'user_id' is not a user id");
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  const given = reason === undefined ? {} : { reason };
  await requestMembership(
    deps,
    { caller, roomId, target, membership, given, action },
    { traceparent: context.requestHeader.get(headers.traceparent) ?? '' },
  );
  return {};
}
