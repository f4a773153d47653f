import type { HandlerContext } from '@connectrpc/connect';
import type { UnbanUserRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orderUser } from './order-user.ts';

/** Lifts the ban of a user from a room in the name of a local member. */
export function unbanUser(deps: Deps, request: UnbanUserRequest, context: HandlerContext) {
  return orderUser(deps, request, context, 'unban');
}
