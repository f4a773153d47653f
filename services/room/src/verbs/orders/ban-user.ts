import type { HandlerContext } from '@connectrpc/connect';
import type { BanUserRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orderUser } from './order-user.ts';

/** Bans a user from a room in the name of a local member. */
export function banUser(deps: Deps, request: BanUserRequest, context: HandlerContext) {
  return orderUser(deps, request, context, 'ban');
}
