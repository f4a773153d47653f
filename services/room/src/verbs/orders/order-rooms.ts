import type { HandlerContext } from '@connectrpc/connect';
import { reportEvent } from '@steward/audit';
import { refuse } from '@steward/errors';
import { AccountRoomOrderCreatedSchema } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import type { BanUserFromRoomsRequest } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { callId, requester } from '@steward/rpc';
import { existingRoom } from '../../core/aggregate/load-room.ts';
import type { Deps } from '../../core/deps.ts';
import { createRoomOrder } from '../../core/orders/room-order.ts';
import { isRoomId, isUserId } from '../../core/protocol/mod.ts';
import { SPACE } from '../../core/spaces/rooms-of-space.ts';

/** The requests to ban a user from many rooms, and to lift the bans, which are alike. */
type RoomsOrder = Pick<BanUserFromRoomsRequest, 'userId' | 'rooms' | 'space' | 'reason'>;

/** Creates the task that bans a user from all rooms, or from those of a space, or lifts the bans. */
export async function orderRooms(
  deps: Deps,
  { userId, rooms, space, reason }: RoomsOrder,
  context: HandlerContext,
  action: 'ban' | 'unban',
) {
  if (!isUserId(userId)) throw refuse.invalidParam('Not a user id');
  if (rooms === undefined && space === undefined) throw refuse.missingParam("'rooms' or 'space' is required");
  if (rooms !== undefined && space !== undefined)
    throw refuse.invalidParam("Only one of 'rooms' and 'space' is possible");
  if (space !== undefined) await requireSpace(deps, space);
  const scope = { user: userId, space: space ?? null };
  const actor = requester(context).owner;
  const taskId = await createRoomOrder(deps, {
    id: callId(context),
    action,
    reason: reason ?? null,
    scope,
    actor,
  });
  reportEvent(context, AccountRoomOrderCreatedSchema, { userId, action, ...(space && { space }) });
  return { taskId };
}

/** @throws refuse.invalidParam for a room that is not a space; refuse.notFound for an unknown room */
async function requireSpace(deps: Deps, space: string): Promise<void> {
  if (!isRoomId(space)) throw refuse.invalidParam("'space' is not a room id");
  const { room_type: type } = await existingRoom(deps, space);
  if (type !== SPACE) throw refuse.invalidParam("'space' is a room that is not a space");
}
