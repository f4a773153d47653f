import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type { KickUserRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { callId, headers, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { PRESENT } from '../../core/model/member.ts';
import { type MembershipOrder, orderMembership, planMembership } from '../../core/orders/order-membership.ts';
import type { MembershipAction } from '../../core/protocol/mod.ts';
import { checkedTargets, onlyTarget, orderMany } from './order-many.ts';

/** The requests to kick, ban, unban and invite, which are alike. */
type UserOrder = Pick<KickUserRequest, 'roomId' | 'userId' | 'userIds' | 'reason'>;

/** Carries out the order to kick, ban, unban or invite a user, or creates the task that does it for several. */
export async function orderUser(
  deps: Deps,
  request: UserOrder,
  context: HandlerContext,
  action: MembershipAction,
) {
  const { roomId, userIds, reason } = request;
  const target = targetOf(request);
  if (target === undefined) return orderMany(deps, { action, roomId, targets: userIds, reason }, context);
  return orderMembership(deps, orderOf(request, context, action, target), {
    traceparent: context.requestHeader.get(headers.traceparent) ?? '',
  });
}

/** Plans the order to kick or ban a user, or several. */
export async function planOrderUser(
  deps: Deps,
  request: UserOrder,
  context: HandlerContext,
  action: 'ban' | 'kick',
): Promise<Planned> {
  const { roomId, userIds } = request;
  const target = targetOf(request);
  const targets =
    target === undefined ? await checkedTargets(deps, { action, roomId, targets: userIds }) : [target];
  const count =
    target === undefined
      ? await countConcerned(deps, roomId, targets, action)
      : Number((await planMembership(deps, orderOf(request, context, action, target))).changed);
  return {
    changes: [{ kind: 'memberships', change: 'changed', count }],
    sample: targets.map((id) => ({ kind: 'user', id })),
  };
}

function targetOf({ userId, userIds }: UserOrder): string | undefined {
  return onlyTarget({ one: userId, many: userIds, fields: ['user_id', 'user_ids'] });
}

function orderOf(
  { roomId, reason }: UserOrder,
  context: HandlerContext,
  action: MembershipAction,
  target: string,
): MembershipOrder {
  const caller = requester(context);
  const membership = action === 'kick' || action === 'unban' ? 'leave' : action;
  const by = { actor: caller.owner, rights: caller, orderId: callId(context) };
  return { roomId, target, membership, action, reason, ...by };
}

/** Of several users, the number of those who are in the room, or of those who are not banned yet. */
async function countConcerned(
  { members }: Pick<Deps, 'members'>,
  roomId: string,
  targets: readonly string[],
  action: 'ban' | 'kick',
): Promise<number> {
  const membership = { $in: action === 'kick' ? PRESENT : ['ban'] };
  const found = await members.countDocuments({ room_id: roomId, user_id: { $in: targets }, membership });
  return action === 'kick' ? found : targets.length - found;
}
