import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { LeaveRequest } from '@steward/proto/steward/room/v1/members_pb.ts';
import { headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { requestMembership } from '../../core/membership/change-membership.ts';

/**
 * Leaves a room, or rejects an invitation to it (client-plane.md 7.9). A room that was purged has been left: clients that were away at
 * that time may still show it.
 */
export async function leave(deps: Deps, request: LeaveRequest, context: HandlerContext) {
  const caller = requester(context);
  const given = request.reason === undefined ? {} : { reason: request.reason };
  const unknown = refuse.notFoundUnknown('The room is not known here');
  try {
    await requestMembership(
      deps,
      { caller, roomId: request.roomId, target: caller.userId, membership: 'leave', given },
      {
        traceparent: context.requestHeader.get(headers.traceparent) ?? '',
        missing: () => unknown,
      },
    );
  } catch (error) {
    if (error !== unknown || !(await deps.purgedRooms.findOne({ _id: request.roomId }))) throw error;
  }
  return {};
}
