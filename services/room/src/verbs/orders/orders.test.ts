import { createClient } from '@connectrpc/connect';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { describe, expect, it } from 'vitest';
import { events } from '../../core/model/event-document.ts';
import { tasks } from '../../core/collections.ts';
import { ROOM_ORDER, type RoomOrderParams } from '../../core/orders/room-order.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';

void createClient;
const ALICE = '@alice:test';
const BOB = '@bob:test';
const FAR = '@far:elsewhere';

async function start() {
  const { store, service } = await oneService();
  const orders = service.client(RoomOrderService, ADMIN);
  const create = async (request: object = {}, by = ALICE) =>
    (await service.client(RoomService, by).createRoom({ preset: 'public_chat', ...request })).roomId;
  const say = async (roomId: string, by: string, body = 'x') => {
    const content = JSON.stringify({ msgtype: 'm.text', body });
    const message = { roomId, eventType: 'm.room.message', txnId: `${by} ${body}`, content };
    return (await service.client(EventService, by).sendEvent(message)).eventId;
  };
  const join = (roomId: string, by: string) => service.client(MembershipService, by).joinRoom({ roomId });
  const memberOf = async (roomId: string, userId: string) => {
    const { state } = await service.client(RoomAdminService, ADMIN).listRoomState({ roomId });
    const all = state.map((text) => JSON.parse(text));
    return all.find((event) => event.type === 'm.room.member' && event.state_key === userId);
  };
  const completed = async (taskId: string) => {
    await service.service.whenIdle();
    return orders.getRoomOrder({ taskId });
  };
  return { store, service, orders, create, say, join, memberOf, completed };
}

describe('an order in a room', () => {
  it('is carried out in the name of the most powerful local member, and says who ordered it', async () => {
    const { service, orders, create, join, memberOf, store } = await start();
    const roomId = await create();
    await join(roomId, BOB);
    const { sender, changed, eventId } = await orders.banUser({ roomId, userId: BOB, reason: 'spam' });
    expect({ sender, changed }).toEqual({ sender: ALICE, changed: true });
    expect(await memberOf(roomId, BOB)).toMatchObject({
      event_id: eventId,
      sender: ALICE,
      content: { membership: 'ban', reason: 'spam' },
      unsigned: { 'steward.ordered_by': ADMIN },
    });
    const { event } = await service
      .client(EventService, ALICE)
      .getEvent({ roomId, eventId: eventId ?? '' });
    expect(JSON.parse(event).unsigned).not.toHaveProperty(['steward.ordered_by']);
    const stored = await (await store.collection(events)).findOne({ _id: eventId ?? '' });
    expect(stored?.json).not.toContain(ADMIN);
    expect(await orders.banUser({ roomId, userId: BOB, reason: 'spam' })).toMatchObject({ eventId, changed: false });
  });
});
