import { type Actor, path } from '@steward/testing';
import { LogLevel, LogService, MatrixAuth, MatrixClient } from 'matrix-bot-sdk';
import { beforeAll, expect, it } from 'vitest';
import { ownChapter } from '../chapter.ts';

// The library logs refusals as errors; these refusals are expected.
LogService.setLevel(LogLevel.ERROR);
LogService.muteModule('MatrixHttpClient');
LogService.muteModule('MatrixClientLite');

/** The time limit of one case, in milliseconds. */
const CASE_LIMIT_MS = 180_000;

ownChapter('A bot library', (world) => {
  let moderator: MatrixClient;
  let alice: Actor;

  beforeAll(async () => {
    const { localpart, password } = world.admin;
    moderator = await new MatrixAuth(world.running.url).passwordLogin(localpart, password, 'Bot');
    alice = await world.user('alice');
  });

  const synapse = () => moderator.adminApis.synapse;
  const details = async (userId: string) =>
    (await world.admin.get(path`/_service/admin/v2/users/${userId}`)).body;

  it('knows the administrators of the server', async () => {
    expect(await moderator.getUserId()).toBe(world.admin.userId);
    expect(await synapse().isSelfAdmin()).toBe(true);
    expect(await synapse().isAdmin(alice.userId)).toBe(false);
    const plain = new MatrixClient(world.running.url, alice.token);
    expect(await plain.adminApis.synapse.isSelfAdmin()).toBe(false);
    await expect(plain.adminApis.synapse.listUsers()).rejects.toMatchObject({
      statusCode: 403,
      errcode: 'M_FORBIDDEN',
    });
    expect(await moderator.adminApis.whoisUser(alice.userId)).toMatchObject({ user_id: alice.userId });
  });

  it('creates, changes and deactivates accounts', async () => {
    const user = world.userId(world.freshName('by-bot'));
    await synapse().upsertUser(user, { displayname: 'By a bot', password: 'secret of a bot' });
    expect(await details(user)).toMatchObject({ displayname: 'By a bot', deactivated: 0 });
    expect(await synapse().getUser(user)).toMatchObject({ displayname: 'By a bot', admin: false });
    await synapse().upsertUser(user, {
      admin: true,
      threepids: [{ medium: 'email', address: 'bot@library.example' }],
    });
    expect(await details(user)).toMatchObject({ admin: 1, threepids: [{ address: 'bot@library.example' }] });
    expect(await synapse().listUsers(undefined, 10, 'by-bot')).toMatchObject({
      total: 1,
      users: [{ name: user }],
    });
    await synapse().upsertUser(user, { deactivated: true });
    expect(await details(user)).toMatchObject({ deactivated: 1 });
    await expect(synapse().getUser(world.userId('nobody'))).rejects.toMatchObject({ errcode: 'M_NOT_FOUND' });
  });

  it('iterates over all accounts, page by page', async () => {
    for (let n = 0; n < 3; n++) await world.account('walked');
    const found: string[] = [];
    for await (const { name } of synapse().listAllUsers({ name: 'walked', limit: 2 })) found.push(name);
    expect(found).toHaveLength(3);
    expect(new Set(found).size).toBe(3);
  });

  it('inspects rooms, takes them over, and deletes them', { timeout: CASE_LIMIT_MS }, async () => {
    const maker = new MatrixClient(world.running.url, alice.token);
    const room = await maker.createRoom({ name: 'Seized', preset: 'public_chat' });
    expect(await synapse().listRooms('seized')).toMatchObject({
      total_rooms: 1,
      rooms: [{ room_id: room, creator: alice.userId, joined_members: 1 }],
    });
    expect(await synapse().getRoomState(room)).toContainEqual(
      expect.objectContaining({ type: 'm.room.name', content: { name: 'Seized' } }),
    );
    await moderator.joinRoom(room);
    await synapse().makeRoomAdmin(room, world.admin.userId);
    expect(await moderator.userHasPowerLevelFor(world.admin.userId, room, 'm.room.power_levels', true)).toBe(
      true,
    );

    const messageId = await maker.sendText(room, 'Hello, bot');
    await maker.doRequest('POST', path`/_matrix/client/v3/rooms/${room}/report/${messageId}`, null, {
      reason: 'Spam',
    });
    const reports = await moderator.doRequest('GET', '/_synapse/admin/v1/event_reports', {
      dir: 'f',
      from: 0,
      room_id: room,
    });
    expect(reports).toMatchObject({ total: 1, event_reports: [{ event_id: messageId, reason: 'Spam' }] });
    await moderator.redactEvent(room, messageId, 'Spam');
    expect(await maker.getEvent(room, messageId)).toMatchObject({ content: {} });

    await synapse().deleteRoom(room);
    await world.whenIdle();
    await expect
      .poll(() => synapse().getDeleteRoomState(room), { timeout: CASE_LIMIT_MS })
      .toMatchObject([{ status: 'complete', shutdown_room: { kicked_users: expect.any(Array) } }]);
    expect(await maker.getJoinedRooms()).toEqual([]);
    expect(await synapse().listRooms('seized')).toMatchObject({ total_rooms: 0 });
  });

  it('manages registration tokens', async () => {
    const made = await synapse().createRegistrationToken({ token: 'by-bot', uses_allowed: 2 });
    expect(made).toMatchObject({ token: 'by-bot', uses_allowed: 2, pending: 0, completed: 0 });
    await synapse().updateRegistrationToken('by-bot', { uses_allowed: null });
    expect(await synapse().getRegistrationToken('by-bot')).toMatchObject({ uses_allowed: null });
    expect(await synapse().listRegistrationTokens(true)).toContainEqual(
      expect.objectContaining({ token: 'by-bot' }),
    );
    await synapse().deleteRegistrationToken('by-bot');
    expect(await synapse().getRegistrationToken('by-bot')).toBeNull();
  });
});
