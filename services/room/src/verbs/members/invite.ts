import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { InviteRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { inviteUser } from '../../core/membership/invite-user.ts';
import { isUserId } from '../../core/protocol/mod.ts';

/** Invites a user (client-plane.md 7.9). */
export async function invite(deps: Deps, request: InviteRequest, context: HandlerContext) {
  if (!isUserId(request.userId)) throw refuse.invalidParam("'user_id' is not a user id");
  const given = request.reason === undefined ? {} : { reason: request.reason };
  await inviteUser(
    deps,
    requester(context),
    request.roomId,
    request.userId,
    given,
    context.requestHeader.get(headers.traceparent),
  );
  return {};
}
