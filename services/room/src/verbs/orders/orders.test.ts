import { toRefusal } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { NoticeService } from '@steward/proto/steward/room/v1/notices_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { authorityOver } from '@steward/rpc/testing';
import type { Store } from '@steward/store';
import { watchQueries } from '@steward/store/testing';
import { describe, expect, it } from 'vitest';
import { tasks } from '../../core/collections.ts';
import { events } from '../../core/model/event-document.ts';
import { states } from '../../core/model/state-document.ts';
import { ROOM_ORDER, type RoomOrderParams } from '../../core/orders/room-order.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN } from '../../fixtures/test-service.ts';

const ALICE = '@alice:test';
const BOB = '@bob:test';
const FAR = '@far:elsewhere';

async function start(options?: Parameters<typeof oneService>[0]) {
  const { store, service } = await oneService(options);
  const orders = service.client(RoomOrderService, ADMIN);
  const create = async (request: object = {}, by = ALICE) =>
    (await service.client(RoomService, by).createRoom({ preset: 'public_chat', ...request })).roomId;
  const say = async (roomId: string, by: string, body = 'x') => {
    const content = JSON.stringify({ msgtype: 'm.text', body });
    const message = { roomId, eventType: 'm.room.message', txnId: `${by} ${body}`, content };
    return (await service.client(EventService, by).sendEvent(message)).eventId;
  };
  const join = (roomId: string, by: string) => service.client(MembershipService, by).joinRoom({ roomId });
  const stateOf = async (roomId: string, type: string, key = '') => {
    const { state } = await service.client(RoomAdminService, ADMIN).listRoomState({ roomId });
    return state
      .map((text) => JSON.parse(text))
      .find((event) => event.type === type && event.state_key === key);
  };
  const memberOf = (roomId: string, userId: string) => stateOf(roomId, 'm.room.member', userId);
  const fetch = async (eventId: string) => {
    const { event } = await service.client(RoomAdminService, ADMIN).fetchEvent({ eventId });
    return JSON.parse(event);
  };
  const completed = async ({ taskId = '' }: { taskId?: string | undefined }, page: object = {}) => {
    await service.service.whenIdle();
    return orders.getRoomOrder({ taskId, ...page });
  };
  return { store, service, orders, create, say, join, stateOf, memberOf, fetch, completed };
}

describe('an order in a room', () => {
  it('an order in a room is carried out in the name of the most powerful local member, and only administrators see who ordered it', async () => {
    const { service, orders, create, join, memberOf, store } = await start();
    const roomId = await create({
      powerLevelContentOverride: '{"users":{"@alice:test":100,"@bob:test":60}}',
    });
    await join(roomId, BOB);
    const {
      sender,
      changed,
      eventId = '',
    } = await orders.banUser({ roomId, userId: FAR, reason: 'spám 🥫' });
    expect({ sender, changed }).toEqual({ sender: ALICE, changed: true });
    expect(await memberOf(roomId, FAR)).toMatchObject({
      event_id: eventId,
      sender: ALICE,
      content: { membership: 'ban', reason: 'spám 🥫' },
      unsigned: { 'steward.ordered_by': ADMIN },
    });
    const { event } = await service.client(EventService, ALICE).getEvent({ roomId, eventId });
    expect(JSON.parse(event).unsigned).not.toHaveProperty(['steward.ordered_by']);
    const stored = await (await store.collection(events)).findOne({ _id: eventId });
    expect(stored?.json).not.toContain(ADMIN);
    expect(await orders.banUser({ roomId, userId: FAR })).toMatchObject({ eventId, changed: false });
    expect(await orders.unbanUser({ roomId, userId: FAR })).toMatchObject({ sender: ALICE, changed: true });
    await expect(orders.unbanUser({ roomId, userId: FAR })).rejects.toThrow(/not banned/);
  });

  it('falls to a less powerful member if the most powerful one is its target or has left', async () => {
    const { service, orders, create, join } = await start();
    const roomId = await create({
      powerLevelContentOverride: '{"users":{"@alice:test":100,"@bob:test":60}}',
    });
    await join(roomId, BOB);
    await expect(orders.kickUser({ roomId, userId: ALICE })).rejects.toThrow(/No user of this server/);
    await service.client(MembershipService, ALICE).leave({ roomId });
    expect(await orders.inviteUser({ roomId, userId: '@carol:test' })).toMatchObject({ sender: BOB });
    await expect(orders.kickUser({ roomId, userId: FAR })).rejects.toThrow(/not in the room/);
  });

  it('an order in a room is carried out by a creator above all levels', async () => {
    const { orders, create, join, memberOf } = await start();
    const roomId = await create({ roomVersion: '12' });
    await join(roomId, BOB);
    expect(await orders.kickUser({ roomId, userId: BOB })).toMatchObject({ sender: ALICE });
    expect(await memberOf(roomId, BOB)).toMatchObject({ content: { membership: 'leave' } });
    await expect(orders.banUser({ roomId, userId: ALICE })).rejects.toThrow(/No user of this server/);
  });

  it.each(['1', '10', '11', '12'])('redacts events once in version %s', async (roomVersion) => {
    const { orders, create, say, join, fetch } = await start();
    const [roomId, other] = [
      await create({ roomVersion }),
      await create({ roomVersion, name: 'Other' }, BOB),
    ];
    await join(roomId, BOB);
    const eventId = await say(roomId, BOB);
    await expect(orders.redactEvent({ roomId: other, eventId })).rejects.toThrow(/not found/);
    const {
      redactionId = '',
      changed,
      sender,
    } = await orders.redactEvent({ roomId, eventId, reason: 'rude' });
    expect({ changed, sender }).toEqual({ changed: true, sender: ALICE });
    expect((await fetch(eventId)).content).toEqual({});
    expect(await fetch(redactionId)).toMatchObject({
      content: { reason: 'rude' },
      unsigned: { 'steward.ordered_by': ADMIN },
    });
    expect(await orders.redactEvent({ roomId, eventId })).toMatchObject({ redactionId, changed: false });
  });

  it('asks few queries in a room whose power levels name many who are not in it', async () => {
    let queries = 0;
    const wrap = (inner: Store) =>
      watchQueries(inner, ({ declaration }) => {
        if (declaration.name === states.name) queries++;
      });
    const { orders, create } = await start({ wrap });
    const absent = Array.from({ length: 1_000 }, (_, n) => [`@absent${n}:test`, 100]);
    const users = Object.fromEntries([[ALICE, 100], ...absent]);
    const roomId = await create({ powerLevelContentOverride: JSON.stringify({ users }) });
    queries = 0;
    expect(await orders.banUser({ roomId, userId: FAR })).toMatchObject({ sender: ALICE });
    expect(queries).toBeLessThan(30);
  });

  it('redacts an event in the name of its sender if no other local member may', async () => {
    const { service, orders, create, say, join } = await start();
    const roomId = await create();
    await join(roomId, BOB);
    const eventId = await say(roomId, BOB);
    await service.client(MembershipService, ALICE).leave({ roomId });
    expect(await orders.redactEvent({ roomId, eventId })).toMatchObject({ sender: BOB, changed: true });
  });

  it('sets state and sends notices', async () => {
    const { orders, create, stateOf, fetch } = await start();
    const roomId = await create();
    const topic = { roomId, type: 'm.room.topic', content: '{"topic":"Be kind"}' };
    const { eventId } = await orders.setState(topic);
    expect(await stateOf(roomId, 'm.room.topic')).toMatchObject({
      event_id: eventId,
      content: { topic: 'Be kind' },
    });
    expect(await orders.setState(topic)).toMatchObject({ eventId, changed: false });
    const notice = await orders.sendRoomNotice({ roomId, body: 'Hello' });
    expect(await fetch(notice.eventId)).toMatchObject({
      content: { msgtype: 'm.notice', body: 'Hello' },
      sender: ALICE,
    });
    for (const refused of [
      { ...topic, type: 'm.room.member', stateKey: BOB, content: '{"membership":"join"}' },
      { ...topic, type: 'm.room.create', content: '{}' },
      { ...topic, type: 'x', stateKey: BOB },
      ...['[]', '"x"', '1', 'true', 'null'].map((content) => ({ ...topic, content })),
    ])
      await expect(orders.setState(refused)).rejects.toThrow();
    expect(await stateOf(roomId, 'm.room.topic')).toMatchObject({ event_id: eventId });
    await expect(orders.setState({ ...topic, roomId: '!unknown:test' })).rejects.toThrow(/Room not found/);
    await expect(orders.setState({ ...topic, roomId: 'nonsense' })).rejects.toThrow(/Not a room id/);
  });
});

describe('an order of a caller who is not a server administrator', () => {
  const ROOT = '@root:test';
  const HELPER = '@helper:test';
  const MODERATOR = '@moderator:test';
  const rights = { admin: false, scopes: [Scope.ROOMS_READ, Scope.ROOMS_WRITE, Scope.ROOMS_DELETE] };
  const authority = authorityOver(
    new Map([
      [ROOT, [Scope.ROOMS_WRITE, Scope.USERS_ERASE]],
      [HELPER, [Scope.ROOMS_WRITE]],
    ]),
    async () => rights,
  );
  /** A room of root, a helper and bob, in the order of their power. */
  async function startWithModerator() {
    const started = await start({ authority });
    const { service, create, join } = started;
    const users = { [ROOT]: 100, [HELPER]: 80, [BOB]: 60 };
    const powerLevelContentOverride = JSON.stringify({ users, events: { 'm.room.power_levels': 50 } });
    const roomId = await create({ powerLevelContentOverride }, ROOT);
    await join(roomId, HELPER);
    await join(roomId, BOB);
    const leave = (by: string) => service.client(MembershipService, by).leave({ roomId });
    /** What members see of who ordered an event. */
    const shownOf = async (eventId = '') => {
      const { event } = await service.client(EventService, ROOT).getEvent({ roomId, eventId });
      return JSON.parse(event).unsigned?.['steward.ordered_by'];
    };
    const client = service.client(RoomOrderService, MODERATOR, rights);
    return { ...started, roomId, leave, shownOf, client };
  }
  const refusal = (call: Promise<unknown>) => call.then(() => undefined, toRefusal);

  it('an order of a caller who is not a server administrator is sent by members without rights first, then by those over whom the caller has authority', async () => {
    const { orders, client, roomId, leave, shownOf } = await startWithModerator();
    const topic = (name: string) => ({ roomId, type: 'm.room.topic', content: `{"topic":"${name}"}` });
    expect(await orders.banUser({ roomId, userId: FAR })).toMatchObject({ sender: ROOT });
    const byBob = await client.unbanUser({ roomId, userId: FAR });
    expect(byBob.sender).toBe(BOB);
    expect(await shownOf(byBob.eventId)).toBeUndefined();
    expect(await client.setState(topic('a'))).toMatchObject({ sender: BOB });
    await leave(BOB);
    const byHelper = await client.setState(topic('b'));
    expect(byHelper.sender).toBe(HELPER);
    expect(await shownOf(byHelper.eventId)).toBe(MODERATOR);
  });

  it('shows who ordered it if only stronger members may, and does not speak as them', async () => {
    const { service, client, roomId, leave, shownOf, say, stateOf } = await startWithModerator();
    const eventId = await say(roomId, BOB);
    await leave(BOB);
    await leave(HELPER);
    for (const sent of [
      await client.banUser({ roomId, userId: FAR }),
      await client.unbanUser({ roomId, userId: FAR }),
      await client.inviteUser({ roomId, userId: ALICE }),
      await client.kickUser({ roomId, userId: ALICE }),
    ]) {
      expect(sent).toMatchObject({ sender: ROOT, changed: true });
      expect(await shownOf(sent.eventId)).toBe(MODERATOR);
    }
    const redacted = await client.redactEvent({ roomId, eventId });
    expect(redacted.sender).toBe(ROOT);
    expect(await shownOf(redacted.redactionId)).toBe(MODERATOR);
    await service
      .client(RoomAdminService, MODERATOR, rights)
      .makeRoomAdmin({ roomIdOrAlias: roomId, userId: ALICE });
    const levels = await stateOf(roomId, 'm.room.power_levels');
    expect(levels).toMatchObject({ sender: ROOT, content: { users: { [ALICE]: 100 } } });
    expect(await shownOf(levels.event_id)).toBe(MODERATOR);
    for (const spoken of [
      client.sendRoomNotice({ roomId, body: 'I am root' }),
      client.setState({ roomId, type: 'm.room.topic', content: '{"topic":"Root says"}' }),
    ])
      expect(await refusal(spoken)).toMatchObject({ status: 403, errcode: 'M_FORBIDDEN' });
    expect(await stateOf(roomId, 'm.room.topic')).toBeUndefined();
  });

  it('an order of a caller who is not a server administrator is refused against stronger accounts, alone, with others and in all rooms', async () => {
    const { client, roomId, say, memberOf, fetch, completed } = await startWithModerator();
    const eventId = await say(roomId, ROOT);
    for (const against of [
      client.kickUser({ roomId, userId: ROOT }),
      client.banUser({ roomId, userId: ROOT }),
      client.redactEvent({ roomId, eventId }),
    ])
      expect(await refusal(against)).toMatchObject({ status: 403, errcode: 'M_FORBIDDEN' });
    const many = await completed(await client.banUser({ roomId, userIds: [HELPER, ROOT] }));
    expect(many.results).toMatchObject([{ outcome: 'done' }, { outcome: 'refused', errcode: 'M_FORBIDDEN' }]);
    const everywhere = await completed(await client.banUserFromRooms({ userId: ROOT, rooms: 'all' }));
    expect(everywhere).toMatchObject({ done: 0n, refused: 1n });
    expect(await memberOf(roomId, ROOT)).toMatchObject({ content: { membership: 'join' } });
    expect((await fetch(eventId)).content).toMatchObject({ body: 'x' });
  });
});

describe('in a room of server notices', () => {
  it('no order speaks as their sender or adds readers, and notices can be redacted', async () => {
    const { service, orders } = await start({ notices: { enabled: true } });
    const roomId = '!notices:test';
    const sender = '@notices:test';
    const reader = { userId: ALICE, roomId, create: true, roomName: 'Notices' };
    const notice = { eventType: 'm.room.message', content: '{"msgtype":"m.text","body":"x"}' };
    const { eventId = '' } = await service
      .client(NoticeService, ADMIN)
      .sendNotice({ ...reader, ...notice, sender, displayName: 'Server', transaction: 'first' });
    for (const refused of [
      orders.sendRoomNotice({ roomId, body: 'Your password, please' }),
      orders.setState({ roomId, type: 'm.room.name', content: '{"name":"Bank"}' }),
      orders.inviteUser({ roomId, userId: BOB }),
      orders.kickUser({ roomId, userId: ALICE }),
    ])
      await expect(refused).rejects.toThrow(/server notices/);
    expect(await orders.redactEvent({ roomId, eventId })).toMatchObject({ sender, changed: true });
  });
});

describe('an order for many targets', () => {
  it('says the outcome of each, one page at a time', async () => {
    const { orders, create, join, completed } = await start();
    const roomId = await create();
    await join(roomId, BOB);
    const others = Array.from({ length: 60 }, (_, n) => `@u${n}:test`);
    const order = await orders.banUser({ roomId, userIds: [BOB, ALICE, ...others, BOB] });
    const first = await completed(order, { limit: 50n });
    expect(first).toMatchObject({
      ...{ action: 'ban', status: 'complete', roomId, processed: 62n, total: 62n },
      ...{ done: 61n, unchanged: 0n, refused: 1n, results: { length: 50 } },
    });
    expect(first.results.slice(0, 2)).toMatchObject([
      { roomId, userId: BOB, outcome: 'done', sender: ALICE },
      { roomId, userId: ALICE, outcome: 'refused', errcode: 'M_UNKNOWN' },
    ]);
    const { nextToken = '' } = first;
    const second = await completed(order, { from: nextToken });
    expect([...first.results, ...second.results].map(({ userId }) => userId)).toEqual([
      BOB,
      ALICE,
      ...others,
    ]);
    expect(second.nextToken).toBeUndefined();
    const again = await completed(await orders.banUser({ roomId, userIds: [BOB] }));
    expect(again).toMatchObject({ done: 0n, unchanged: 1n });
    await expect(orders.banUser({ roomId, userIds: ['nonsense'] })).rejects.toThrow(/user id/);
    await expect(orders.banUser({ roomId })).rejects.toThrow(/required/);
    await expect(orders.getRoomOrder({ taskId: order.taskId ?? '', from: 'x' })).rejects.toThrow(
      /next_token/,
    );
  });

  it('bans a user from all rooms in which a local member may, and lifts the bans', async () => {
    const { service, orders, create, join, memberOf, completed } = await start();
    const [one, other, left, own] = [
      await create(),
      await create({ preset: 'private_chat' }),
      await create(),
      await create({}, BOB),
    ];
    await join(one, BOB);
    await service.client(MembershipService, ALICE).leave({ roomId: left });
    const banned = await completed(await orders.banUserFromRooms({ userId: BOB, rooms: 'all' }));
    expect(banned).toMatchObject({ userId: BOB, done: 2n, refused: 1n, processed: 4n });
    expect(banned.results.find(({ roomId }) => roomId === own)).toMatchObject({ outcome: 'refused' });
    for (const roomId of [one, other])
      expect(await memberOf(roomId, BOB)).toMatchObject({ content: { membership: 'ban' } });
    const lifted = await completed(await orders.unbanUserFromRooms({ userId: BOB, rooms: 'all' }));
    expect(lifted).toMatchObject({ done: 2n, refused: 0n, processed: 2n });
    await expect(orders.banUserFromRooms({ userId: BOB })).rejects.toThrow(/required/);
  });

  it('bans a user from a space and the rooms in it', async () => {
    const { service, orders, create, memberOf, completed } = await start();
    const space = await create({ creationContent: '{"type":"m.space"}' });
    const [inner, outside] = [await create(), await create()];
    for (const [parent, child] of [
      [space, inner],
      [space, space],
      [space, '!unknown:test'],
    ] as const) {
      const content = '{"via":["test"]}';
      const put = { roomId: parent, eventType: 'm.space.child', stateKey: child, content };
      await service.client(EventService, ALICE).putState(put);
    }
    expect(await completed(await orders.banUserFromRooms({ userId: BOB, space }))).toMatchObject({
      space,
      done: 2n,
      total: 2n,
    });
    expect(await memberOf(inner, BOB)).toMatchObject({ content: { membership: 'ban' } });
    expect(await memberOf(outside, BOB)).toBeUndefined();
    await expect(orders.banUserFromRooms({ userId: BOB, space: outside })).rejects.toThrow(/not a space/);
  });

  it('does nothing twice when it is interrupted before its checkpoint', async () => {
    const { store, service, orders, create, join } = await start();
    const roomId = await create();
    await join(roomId, BOB);
    const { taskId = '' } = await orders.kickUser({ roomId, userIds: [BOB] });
    await service.service.whenIdle();
    const before = await orders.getRoomOrder({ taskId });
    await join(roomId, BOB);
    // As if the process had crashed before it saved what it had done.
    const params: RoomOrderParams = { action: 'kick', reason: null, scope: { room: roomId, targets: [BOB] } };
    const all = await store.collection(tasks.tasks);
    await all.deleteMany({ _id: taskId });
    await all.insertOne({
      ...{ _id: taskId, kind: ROOM_ORDER, key: roomId, params: JSON.stringify(params), requested_by: ADMIN },
      ...{ state: 'scheduled', step: '', cursor: 'null', result: 'null', owner: '' },
      ...{ done: 0, total: 0, attempt: 0, token: 0, due: 0, created_ts: 0, order: 0 },
    });
    await service.service.whenIdle();
    expect(await orders.getRoomOrder({ taskId })).toMatchObject({
      status: 'complete',
      done: 1n,
      results: before.results,
    });
    const { members } = await service.client(RoomAdminService, ADMIN).listRoomMembers({ roomId });
    expect(members).toContain(BOB);
  });
});
