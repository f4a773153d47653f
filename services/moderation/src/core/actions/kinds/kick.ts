import { RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { type ActionKind, call, reasonIn, sent } from '../define-action.ts';
import { onRoom } from '../dispatch.ts';

/** Makes a user leave a room. */
export const kick: ActionKind = {
  needs: ['room_id', 'user_id'],
  may: ['reason'],
  calls: ({ room_id: roomId = '', user_id: userId = '', ...details }) => [
    call(RoomOrderService.method.kickUser, { roomId, userId, ...reasonIn(details) }, sent),
  ],
  carryOut: (deps, details, given) => onRoom(deps, RoomOrder.KICK, details, given),
};
