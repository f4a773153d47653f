import type { RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import type { AccountOrder } from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import type { GivenAction, GivenRoomAction } from '../../peers/actions.ts';
import type { Deps } from '../deps.ts';
import type { ActionDetails } from './action.ts';
import { type ActionKind, AT_ONCE, type CarriedOut } from './define-action.ts';

/** Dispatches an action to the service of the account that it concerns. */
export function onAccount(orderOf: (details: ActionDetails) => AccountOrder): ActionKind['carryOut'] {
  return async ({ actions }, details, given) => {
    const { user_id: userId = '' } = details;
    await actions.account({ ...given, userId, order: orderOf(details) });
    return AT_ONCE;
  };
}

/** Dispatches an action to the service of the room, or of the rooms, that it concerns. */
export async function onRoom(
  { actions }: Pick<Deps, 'actions'>,
  order: RoomOrder,
  { user_id: userId = '', room_id: roomId, event_id: eventId, reason }: ActionDetails,
  given: GivenAction,
  deletion?: GivenRoomAction['deletion'],
): Promise<CarriedOut> {
  const how = deletion ? { deletion } : {};
  const done = await actions.room({ ...given, ...how, order, reason, roomId, userId, eventId });
  return { taskIds: done.taskId === '' ? [] : [done.taskId], eventId: done.eventId };
}
