import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { KnockRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, requester } from '@steward/rpc';
import { resolveRoom } from '../../core/aliases/resolve-room.ts';
import type { Deps } from '../../core/deps.ts';
import { requestMembership } from '../../core/membership/change-membership.ts';
import { refuseOverLimit } from '../../core/refusals/refuse-over-limit.ts';
import { refuseSuspended } from '../../core/refusals/refuse-suspended.ts';

/** Knocks at a room (client-plane.md 7.9). */
export async function knock(deps: Deps, request: KnockRequest, context: HandlerContext) {
  const caller = requester(context);
  const roomId = await resolveRoom(deps, request.roomIdOrAlias);
  refuseSuspended(caller);
  refuseOverLimit(deps, caller);
  const given = request.reason === undefined ? {} : { reason: request.reason };
  await requestMembership(
    deps,
    { caller, roomId, target: caller.userId, membership: 'knock', given },
    {
      traceparent: context.requestHeader.get(headers.traceparent) ?? '',
      missing: () => refuse.notFoundUnknown('No server is known that is in this room'),
    },
  );
  return { roomId };
}
