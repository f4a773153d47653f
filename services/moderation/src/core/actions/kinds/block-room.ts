import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { type ActionKind, call } from '../define-action.ts';
import { onRoom } from '../dispatch.ts';

/** Blocks a room. */
export const blockRoom: ActionKind = {
  needs: ['room_id'],
  calls: ({ room_id: roomId = '' }) => [call(RoomAdminService.method.putBlock, { roomId, block: true })],
  carryOut: (deps, details, given) => onRoom(deps, RoomOrder.BLOCK, details, given),
};
