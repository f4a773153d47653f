import { toRefusal } from '@steward/errors';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { ReportOrderService, RoomOrder } from '@steward/proto/steward/room/v1/report_orders_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { expect, it } from 'vitest';
import { collections, tasks } from '../../core/collections.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';

const OWNER = '@owner:test';
const SPAMMER = '@spammer:test';
const PICTURE = 'mxc://test/picture';

/** A room with a message of its owner that shows a picture. */
async function roomWithPicture() {
  const { store, service } = await oneService();
  const { roomId } = await service.client(RoomService, OWNER).createRoom({ invite: [SPAMMER] });
  const { eventId } = await service.client(EventService, OWNER).sendEvent({
    ...{ roomId, eventType: 'm.room.message', txnId: 't' },
    content: JSON.stringify({ msgtype: 'm.image', body: 'A picture', url: PICTURE }),
  });
  const orders = service.client(ReportOrderService, ADMIN);
  const events = await store.collection(collections.events);
  return { store, service, orders, events, roomId, eventId };
}

it('sends the event of an order once, and no second one for a member who came back', async () => {
  const { orders, events, roomId } = await roomWithPicture();
  const ban = { orderId: 'a', requestedBy: ADMIN, order: RoomOrder.BAN, roomId, userId: SPAMMER };
  await orders.carryOutOrder({ ...ban, checkOnly: true });
  const membership = { type: 'm.room.member', state_key: SPAMMER };
  expect(await events.countDocuments(membership)).toBe(1);
  const first = await orders.carryOutOrder(ban);
  const second = await orders.carryOutOrder(ban);
  expect(first.eventId).not.toBe('');
  expect(second).toEqual(first);
  expect(await events.countDocuments(membership)).toBe(2);
});

it('redacts an event once, and finds its media also afterwards', async () => {
  const { orders, events, roomId, eventId } = await roomWithPicture();
  const order = { orderId: 'a', requestedBy: ADMIN, order: RoomOrder.REDACT_EVENT, roomId, eventId };
  await orders.carryOutOrder(order);
  await orders.carryOutOrder(order);
  expect(await events.countDocuments({ type: 'm.room.redaction' })).toBe(1);
  expect((await orders.findEventMedia({ roomId, eventId })).uris).toEqual([PICTURE]);
  expect((await orders.findEventMedia({ roomId: '!other:test', eventId })).uris).toEqual([]);
  const elsewhere = orders.carryOutOrder({ ...order, checkOnly: true, roomId: '!other:test' });
  expect(toRefusal(await elsewhere.catch((error: unknown) => error)).errcode).toBe('M_NOT_FOUND');
});

it.each([
  ['a deletion', RoomOrder.DELETE],
  ['a redaction of all events', RoomOrder.REDACT_USER],
  ['a ban from all rooms', RoomOrder.BAN_EVERYWHERE],
] as const)('has one task for %s, also when it is ordered again after its end', async (_, order) => {
  const { store, service, orders, roomId } = await roomWithPicture();
  const given = { orderId: 'a', requestedBy: ADMIN, order, roomId, userId: SPAMMER };
  const first = await orders.carryOutOrder(given);
  await service.service.whenIdle();
  expect(await orders.carryOutOrder(given)).toEqual(first);
  const created = await (await store.collection(tasks.tasks)).find({}).toArray();
  expect(created).toMatchObject([{ _id: first.taskId, state: 'complete', requested_by: ADMIN }]);
});

it('refuses a deletion while another one runs', async () => {
  const { service, orders, roomId } = await roomWithPicture();
  const begun = service.client(RoomDeletionService, ADMIN).beginRoomDeletion({ roomId });
  const order = { orderId: 'a', requestedBy: ADMIN, order: RoomOrder.DELETE, roomId };
  await begun;
  const refusal = await orders.carryOutOrder(order).catch(toRefusal);
  expect(refusal).toMatchObject({ status: 400, errcode: 'M_UNKNOWN' });
  await service.service.whenIdle();
});
