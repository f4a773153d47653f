import { RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { UserRedactionService } from '@steward/proto/steward/room/v1/user_redaction_pb.ts';
import { type ActionKind, call, reasonIn } from '../define-action.ts';
import { onRoom } from '../dispatch.ts';

/** Redacts all events of a user. */
export const redactUser: ActionKind = {
  needs: ['user_id'],
  may: ['reason'],
  calls({ user_id: userId = '', ...details }) {
    const request = { userId, rooms: [], ...reasonIn(details) };
    return [
      call(UserRedactionService.method.redactUser, request, ({ taskIds: [redactId = ''] }) => ({ redactId })),
    ];
  },
  carryOut: (deps, details, given) => onRoom(deps, RoomOrder.REDACT_USER, details, given),
};
