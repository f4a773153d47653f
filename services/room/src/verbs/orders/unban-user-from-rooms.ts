import type { HandlerContext } from '@connectrpc/connect';
import type { UnbanUserFromRoomsRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orderRooms } from './order-rooms.ts';

/** Begins to lift the bans of a user from many rooms. */
export function unbanUserFromRooms(deps: Deps, request: UnbanUserFromRoomsRequest, context: HandlerContext) {
  return orderRooms(deps, request, context, 'unban');
}
