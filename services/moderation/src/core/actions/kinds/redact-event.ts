import { RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { type ActionKind, call, reasonIn } from '../define-action.ts';
import { onRoom } from '../dispatch.ts';

/** Redacts an event. */
export const redactEvent: ActionKind = {
  needs: ['room_id', 'event_id'],
  may: ['reason'],
  calls({ room_id: roomId = '', event_id: eventId = '', ...details }) {
    const request = { roomId, eventId, ...reasonIn(details) };
    return [call(RoomOrderService.method.redactEvent, request, (done) => ({ redactionId: done.eventId }))];
  },
  carryOut: (deps, details, given) => onRoom(deps, RoomOrder.REDACT_EVENT, details, given),
};
