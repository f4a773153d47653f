import type { HandlerContext } from '@connectrpc/connect';
import type { InviteUserRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orderUser } from './order-user.ts';

/** Invites a user to a room in the name of a local member. */
export function inviteUser(deps: Deps, request: InviteUserRequest, context: HandlerContext) {
  return orderUser(deps, request, context, 'invite');
}
