import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type { BanUserRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orderUser, planOrderUser } from './order-user.ts';

/** Bans a user from a room in the name of a local member. */
export function banUser(deps: Deps, request: BanUserRequest, context: HandlerContext) {
  return orderUser(deps, request, context, 'ban');
}

/** Plans `banUser`. */
export function planBanUser(deps: Deps, request: BanUserRequest, context: HandlerContext): Promise<Planned> {
  return planOrderUser(deps, request, context, 'ban');
}
