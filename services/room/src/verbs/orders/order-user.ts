import type { HandlerContext } from '@connectrpc/connect';
import type { KickUserRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { callId, headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { orderMembership } from '../../core/orders/order-membership.ts';
import type { MembershipAction } from '../../core/protocol/mod.ts';
import { onlyTarget, orderMany } from './order-many.ts';

/** The requests to kick, ban, unban and invite, which are alike. */
type UserOrder = Pick<KickUserRequest, 'roomId' | 'userId' | 'userIds' | 'reason'>;

/** Carries out the order to kick, ban, unban or invite a user, or creates the task that does it for several. */
export async function orderUser(
  deps: Deps,
  { roomId, userId, userIds, reason }: UserOrder,
  context: HandlerContext,
  action: MembershipAction,
) {
  const target = onlyTarget({ one: userId, many: userIds, fields: ['user_id', 'user_ids'] });
  if (target === undefined) return orderMany(deps, { action, roomId, targets: userIds, reason }, context);
  const caller = requester(context);
  const membership = action === 'kick' || action === 'unban' ? 'leave' : action;
  return orderMembership(
    deps,
    {
      roomId,
      target,
      membership,
      action,
      reason,
      actor: caller.owner,
      rights: caller,
      orderId: callId(context),
    },
    { traceparent: context.requestHeader.get(headers.traceparent) ?? '' },
  );
}
