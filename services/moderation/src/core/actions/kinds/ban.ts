import { RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { type ActionKind, call, reasonIn, sent } from '../define-action.ts';
import { onRoom } from '../dispatch.ts';

/** Bans a user from a room, or from all rooms in which a user of this server may do so. */
export const ban: ActionKind = {
  needs: ['room_id', 'user_id'],
  may: ['reason', 'rooms'],
  // A ban from all rooms has no room of its own.
  inPlaceOf: { rooms: 'room_id' },
  calls({ room_id: roomId = '', user_id: userId = '', rooms, ...details }) {
    const { banUser, banUserFromRooms } = RoomOrderService.method;
    const reason = reasonIn(details);
    if (rooms === undefined) return [call(banUser, { roomId, userId, ...reason }, sent)];
    const all = call(banUserFromRooms, { userId, rooms, ...reason }, ({ taskIds: [taskId = ''] }) => ({
      taskId,
    }));
    return [{ ...all, values: { action: 'ban' } }];
  },
  carryOut: (deps, details, given) =>
    onRoom(deps, details.rooms === undefined ? RoomOrder.BAN : RoomOrder.BAN_EVERYWHERE, details, given),
};
