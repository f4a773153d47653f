import { toRefusal } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { NoticeService } from '@steward/proto/steward/room/v1/notices_pb.ts';
import { RoomDeletionService } from '@steward/proto/steward/room/v1/room_deletion_pb.ts';
import { RoomOrderService } from '@steward/proto/steward/room/v1/room_orders_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import { describe, expect, it } from 'vitest';
import { oneService } from '../../fixtures/one-service.ts';
import { ADMIN, type TestService } from '../../fixtures/test-service.ts';
import { type NoticeDeps, noticesAccounts } from './notice-rooms.ts';

const SENDER = '@notices:test';
const READER = '@reader:test';
const STRANGER = '@stranger:test';
const ROOM = '!notices:test';

/** A moderator who may do everything in rooms except send notices. */
const moderator = {
  scopes: [Scope.ROOMS_READ, Scope.ROOMS_CONTENT, Scope.ROOMS_WRITE, Scope.ROOMS_DELETE],
};

/** Starts a service with a notice room, to which the reader is invited. Notices are off, as after the setting was changed. */
async function start(options: Parameters<typeof oneService>[0] = {}) {
  const { service } = await oneService({ ...options, notices: { enabled: false, ...options.notices } });
  const send = (transaction: string, more: object = {}) =>
    service.client(NoticeService, ADMIN).sendNotice({
      ...{ roomId: ROOM, create: true, roomName: 'Notices', userId: READER, sender: SENDER },
      ...{ displayName: 'Server', eventType: 'm.room.message', content: '{"msgtype":"m.text","body":"x"}' },
      ...{ transaction, ...more },
    });
  await send('first');
  return { service, send };
}

const as = (service: TestService, rights: object) => ({
  admin: service.client(RoomAdminService, STRANGER, rights),
  orders: service.client(RoomOrderService, STRANGER, rights),
  deletion: service.client(RoomDeletionService, STRANGER, rights),
});

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => toRefusal(error).errcode,
  );

describe('a room of server notices, while notices are off', () => {
  it.each([
    ['a moderator', moderator, {}],
    ['an administrator', { admin: true }, {}],
    ['a moderator, after the setting names another sender,', moderator, { localpart: 'system' }],
  ])('lets %s neither in nor speak', async (_, rights, notices) => {
    const { service } = await start({ notices });
    const { admin, orders } = as(service, rights);
    const room = { roomId: ROOM };
    for (const refused of [
      () => admin.makeRoomAdmin({ roomIdOrAlias: ROOM, userId: STRANGER }),
      () => admin.makeRoomAdmin({ roomIdOrAlias: ROOM, userId: READER }),
      () => admin.joinUser({ roomIdOrAlias: ROOM, userId: STRANGER }),
      () => orders.sendRoomNotice({ ...room, body: 'Your password, please' }),
      () => orders.setState({ ...room, type: 'm.room.join_rules', content: '{"join_rule":"public"}' }),
      () => orders.inviteUser({ ...room, userId: STRANGER }),
      () => orders.kickUser({ ...room, userId: READER }),
      () => orders.banUser({ ...room, userId: READER }),
    ])
      expect(await refusalOf(refused())).toBe('M_FORBIDDEN');
  });

  it('admits its reader whom an administrator makes join, with the scope of sending notices', async () => {
    const { service } = await start();
    const join = { roomIdOrAlias: ROOM, userId: READER };
    // Without an account, as an automation token, so that no invitation is sent.
    const token = (scopes: readonly Scope[]) =>
      as(service, { userId: 'token:1', owner: 'token:1', kind: 'automation_token', scopes }).admin;
    expect(await refusalOf(token(moderator.scopes).joinUser(join))).toBe('M_FORBIDDEN');
    const both = [...moderator.scopes, Scope.NOTICES_SEND];
    expect(await token(both).joinUser(join)).toMatchObject({ roomId: ROOM });
  });

  it('admits no one else, even if its state did so, and is not upgraded', async () => {
    const { service } = await start();
    const put = (type: string, content: object) =>
      service
        .client(EventService, SENDER)
        .putState({ roomId: ROOM, eventType: `m.room.${type}`, content: JSON.stringify(content) });
    // As it could be in an earlier release.
    await put('join_rules', { join_rule: 'public' });
    await put('power_levels', { users: { [SENDER]: 100, [READER]: 100 } });
    const reader = service.client(MembershipService, READER);
    await reader.joinRoom({ roomId: ROOM });
    expect(await refusalOf(reader.invite({ roomId: ROOM, userId: STRANGER }))).toBe('M_FORBIDDEN');
    const stranger = service.client(MembershipService, STRANGER);
    expect(await refusalOf(stranger.joinRoom({ roomId: ROOM }))).toBe('M_FORBIDDEN');
    const upgrade = { roomId: ROOM, newVersion: '11' };
    expect(await refusalOf(service.client(RoomService, READER).upgradeRoom(upgrade))).toBe('M_FORBIDDEN');
  });

  it('a notice room that somebody has entered in an earlier release gets no notice, and another room is chosen', async () => {
    let isServers = false;
    const { service, send } = await start({ actsForServer: (userId) => isServers && userId === SENDER });
    const notices = service.client(NoticeService, ADMIN);
    const ofReader = { userId: READER, sender: SENDER };
    expect(await notices.chooseNoticeRoom(ofReader)).toMatchObject({ roomId: ROOM, exists: true });
    await as(service, moderator).admin.makeRoomAdmin({ roomIdOrAlias: ROOM, userId: STRANGER });
    isServers = true;
    expect((await send('second')).eventId).toBeUndefined();
    expect(await notices.chooseNoticeRoom(ofReader)).toMatchObject({ exists: false });
  });
});

describe('the sender of notices', () => {
  it.each([
    ['of today', {}],
    ['of before the setting names another one', { localpart: 'system' }],
  ])('%s is brought into no other room, and gets no power there', async (_, notices) => {
    const { service } = await start({ notices });
    const owner = service.client(RoomService, STRANGER);
    const { roomId } = await owner.createRoom({ preset: 'public_chat' });
    const { admin, orders } = as(service, { admin: true });
    const members = service.client(MembershipService, STRANGER);
    for (const refused of [
      () => owner.createRoom({ invite: [SENDER] }),
      () => members.invite({ roomId, userId: SENDER }),
      () => orders.inviteUser({ roomId, userId: SENDER }),
      () => admin.joinUser({ roomIdOrAlias: roomId, userId: SENDER }),
      () => admin.makeRoomAdmin({ roomIdOrAlias: roomId, userId: SENDER }),
    ])
      expect(await refusalOf(refused())).toBe('M_FORBIDDEN');
  });

  it('speaks to the members of a deleted room for who may send notices, and for no one in the new room', async () => {
    const { service } = await start();
    const create = () => service.client(RoomService, READER).createRoom({ preset: 'public_chat' });
    const { roomId } = await create();
    const request = { roomId, newRoomUserId: SENDER, message: 'Your password, please', block: true };
    const { deletion } = as(service, moderator);
    for (const refused of [
      () => deletion.beginRoomDeletion(request),
      () => deletion.deleteRoom(request),
      // Before the room is looked up.
      () => deletion.beginRoomDeletion({ ...request, roomId: '!unknown:test' }),
    ])
      expect(await refusalOf(refused())).toBe('M_FORBIDDEN');
    const both = as(service, { scopes: [...moderator.scopes, Scope.NOTICES_SEND] });
    const { newRoomId = '' } = await both.deletion.deleteRoom({ ...request, block: false });
    const { orders, admin } = as(service, { admin: true });
    const said = orders.sendRoomNotice({ roomId: newRoomId, body: 'Your password, please' });
    expect(await refusalOf(said)).toBe('M_FORBIDDEN');
    const given = admin.makeRoomAdmin({ roomIdOrAlias: newRoomId, userId: STRANGER });
    expect(await refusalOf(given)).toBe('M_FORBIDDEN');
    // Who was not moved may come later.
    await service.client(MembershipService, STRANGER).joinRoom({ roomId: newRoomId });
  });

  it('has its name in every case while there is no account of the name', async () => {
    const deps = {
      settings: { noticesUserId: SENDER } as NoticeDeps['settings'],
      users: { profiles: async () => new Map() } as Partial<NoticeDeps['users']> as NoticeDeps['users'],
    };
    const named = await noticesAccounts(deps, [SENDER, '@NOTICES:test', READER]);
    expect([...named]).toEqual([SENDER, '@NOTICES:test']);
  });

  it('is not whose name is the same, and whom the server did not make', async () => {
    const { service } = await oneService({ actsForServer: () => false });
    const { roomId } = await service.client(RoomService, SENDER).createRoom({ preset: 'public_chat' });
    await service.client(MembershipService, STRANGER).joinRoom({ roomId });
    const { admin, orders } = as(service, moderator);
    expect(await orders.sendRoomNotice({ roomId, body: 'x' })).toMatchObject({ sender: SENDER });
    await admin.makeRoomAdmin({ roomIdOrAlias: roomId, userId: STRANGER });
    const { roomId: other } = await service.client(RoomService, READER).createRoom({});
    await service.client(MembershipService, READER).invite({ roomId: other, userId: SENDER });
    await service.client(MembershipService, SENDER).leave({ roomId: other });
  });
});
