import type { HandlerContext } from '@connectrpc/connect';
import type { Planned } from '@steward/plans';
import type { KickUserRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orderUser, planOrderUser } from './order-user.ts';

/** Makes a user leave a room in the name of a local member. */
export function kickUser(deps: Deps, request: KickUserRequest, context: HandlerContext) {
  return orderUser(deps, request, context, 'kick');
}

/** Plans `kickUser`. */
export function planKickUser(
  deps: Deps,
  request: KickUserRequest,
  context: HandlerContext,
): Promise<Planned> {
  return planOrderUser(deps, request, context, 'kick');
}
