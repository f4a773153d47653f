import { createHash } from 'node:crypto';
import { RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { AccountOrder } from '@steward/proto/steward/user/v1/report_orders_pb.ts';
import type { GivenOrder } from '../../peers/orders.ts';
import type { Deps } from '../deps.ts';
import { checkNotice, deliverNotice } from '../notices/deliver-notice.ts';
import { readNotice } from '../notices/read-notice.ts';
import { type CarriedOut, deletionOf, noticeContent } from './documented-calls.ts';
import type { Order } from './order.ts';

/** Who gave an order, and with which rights. */
export type Giver = Omit<GivenOrder, 'checkOnly'>;

const AT_ONCE: CarriedOut = { taskIds: [], eventId: '' };

/**
 * Checks that an order could be carried out now.
 *
 * @throws the refusal with which it would be refused
 */
export async function checkOrder(deps: Deps, order: Order, giver: Giver): Promise<void> {
  // Which of the media exist is not checked: quarantines are idempotent, and say so when they are carried out.
  if (order.kind === 'quarantine_media' || order.kind === 'quarantine_user_media') return;
  if (order.kind === 'send_notice')
    await checkNotice(deps, { ...(await readNotice(deps, noticeOf(order))), transaction: '' });
  else await handOn(deps, order, { ...giver, checkOnly: true });
}

/**
 * Carries an order out, once by its id however often it is called.
 *
 * @throws the refusal of the service that it concerns
 */
export async function carryOut(deps: Deps, order: Order, giver: Giver): Promise<CarriedOut> {
  if (order.kind !== 'send_notice') return handOn(deps, order, { ...giver, checkOnly: false });
  const transaction = noticeTransaction(giver.orderId);
  // A repeated order is answered with its notice, whatever has become of its reader.
  const eventId = await deps.rooms.findNotice(transaction);
  if (eventId !== undefined) return { ...AT_ONCE, eventId };
  const notice = await readNotice(deps, noticeOf(order));
  return { ...AT_ONCE, eventId: await deliverNotice(deps, { ...notice, transaction }) };
}

/** Hands an order to the service that it concerns. */
async function handOn(
  { orders }: Pick<Deps, 'orders'>,
  { kind, details }: Order,
  given: GivenOrder,
): Promise<CarriedOut> {
  const { user_id: userId = '', room_id: roomId, event_id: eventId, reason, media: uris } = details;
  const account = async (order: AccountOrder) => {
    await orders.account({ ...given, userId, order });
    return AT_ONCE;
  };
  const room = async (order: RoomOrder) => {
    const deletion = order === RoomOrder.DELETE ? { deletion: deletionOf(details) } : {};
    const done = await orders.room({ ...given, ...deletion, order, reason, roomId, userId, eventId });
    return { taskIds: done.taskId === '' ? [] : [done.taskId], eventId: done.eventId };
  };
  const { orderId, requestedBy, rights } = given;
  switch (kind) {
    case 'suspend':
      return account(AccountOrder.SUSPEND);
    case 'lock':
      return account(AccountOrder.LOCK);
    case 'deactivate':
      return account(details.erase ? AccountOrder.ERASE : AccountOrder.DEACTIVATE);
    case 'redact_event':
      return room(RoomOrder.REDACT_EVENT);
    case 'redact_user':
      return room(RoomOrder.REDACT_USER);
    case 'kick':
      return room(RoomOrder.KICK);
    case 'ban':
      return room(details.rooms === 'all' ? RoomOrder.BAN_EVERYWHERE : RoomOrder.BAN);
    case 'block_room':
      return room(RoomOrder.BLOCK);
    case 'delete_room':
      return room(RoomOrder.DELETE);
    case 'quarantine_media':
      return { ...AT_ONCE, ...(await orders.media({ orderId, requestedBy, rights, uris })) };
    case 'quarantine_user_media':
      return { ...AT_ONCE, ...(await orders.media({ orderId, requestedBy, rights, userId })) };
    case 'send_notice':
      throw new TypeError('Notices are sent by this service');
  }
}

function noticeOf({ details: { user_id: userId = '', text = '' } }: Order) {
  return { userId: JSON.stringify(userId), content: noticeContent(text) };
}

/** The key of the transaction of the notice of an order. */
function noticeTransaction(orderId: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['report_order', orderId]))
    .digest('base64url');
}
