import type { HandlerContext } from '@connectrpc/connect';
import type { BanUserFromRoomsRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { orderRooms } from './order-rooms.ts';

/** Begins to ban a user from many rooms. */
export function banUserFromRooms(deps: Deps, request: BanUserFromRoomsRequest, context: HandlerContext) {
  return orderRooms(deps, request, context, 'ban');
}
