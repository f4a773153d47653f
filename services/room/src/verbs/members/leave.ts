import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { LeaveRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { requestMembership } from '../../core/membership/change-membership.ts';

/** Leaves a room, or rejects an invitation to it (client-plane.md 7.9). */
export async function leave(deps: Deps, request: LeaveRequest, context: HandlerContext) {
  const caller = requester(context);
  const given = request.reason === undefined ? {} : { reason: request.reason };
  await requestMembership(
    deps,
    { caller, roomId: request.roomId, target: caller.userId, membership: 'leave', given },
    {
      traceparent: context.requestHeader.get(headers.traceparent) ?? '',
      missing: () => refuse.notFoundUnknown('The room is not known here'),
    },
  );
  return {};
}
