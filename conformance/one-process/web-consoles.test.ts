import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from '../chapter.ts';
import { uploadFile, uriOf } from '../media-files.ts';
import { refusal } from '../refusal.ts';

const ADMIN = '/_synapse/admin';
const CLIENT = '/_matrix/client';

/** The parameters that consoles add to every list, whether it supports them or not. */
const EVERYWHERE = { from: 0, limit: 50, order_by: 'id', dir: 'ASC' };

/** The largest page that any tool requests. */
const EVERYTHING = 100_000_000_000;

const text = expect.any(String);
const flag = expect.any(Boolean);
const count = expect.any(Number);

chapter(
  'The endpoints that web consoles and bots use',
  (world) => {
    let alice: Actor;
    let room: string;

    beforeAll(async () => {
      alice = await world.user('alice');
      const { body } = await alice.post<{ room_id: string }>(`${CLIENT}/v3/createRoom`, {
        body: { name: 'Seen', topic: 'All of it', preset: 'public_chat', room_alias_name: 'seen' },
      });
      room = body.room_id;
    });

    const get = <Body = Record<string, unknown>>(target: string, query = {}) =>
      world.admin.get<Body>(`${ADMIN}${target}`, { query });

    describe('before login', () => {
      it.each([
        ['/.well-known/matrix/client', { 'm.homeserver': { base_url: text } }],
        ['/.well-known/matrix/server', { 'm.server': text }],
        ['/_matrix/key/v2/server', { server_name: text }],
        [`${CLIENT}/versions`, { versions: expect.arrayContaining([text]) }],
        [`${CLIENT}/v3/login`, { flows: expect.arrayContaining([{ type: 'm.login.password' }]) }],
        [`${CLIENT}/r0/login`, { flows: expect.arrayContaining([{ type: 'm.login.password' }]) }],
        [`${ADMIN}/v1/server_version`, { server_version: text }],
      ])('return %s', async (target, body) => {
        const reply = await world.http('GET', target);
        expect(reply).toMatchObject({ status: 200, body });
        expect(reply.headers['access-control-allow-origin']).toBe('*');
      });

      it.each(['v1/auth_metadata', 'unstable/org.matrix.msc2965/auth_metadata'])(
        '%s is not found, so that consoles log in with passwords',
        async (target) => {
          expect(await world.http('GET', `${CLIENT}/${target}`)).toMatchObject(
            refusal(404, 'M_UNRECOGNIZED'),
          );
        },
      );
    });

    it.each([
      ['v3', (user: Actor) => ({ identifier: { type: 'm.id.user', user: user.localpart } })],
      ['r0', (user: Actor) => ({ user: user.userId })],
      [
        'v3',
        (user: Actor) => ({ user: user.localpart, identifier: { type: 'm.id.user', user: user.userId } }),
      ],
    ])('support a login through %s without a device, and a logout', async (version, who) => {
      const { status, body } = await world.http<{ access_token: string }>(
        'POST',
        `${CLIENT}/${version}/login`,
        {
          body: {
            type: 'm.login.password',
            ...who(alice),
            password: alice.password,
            device_id: null,
            initial_device_display_name: 'Console',
          },
        },
      );
      expect(status).toBe(200);
      expect(body).toEqual({
        user_id: alice.userId,
        access_token: text,
        device_id: text,
        home_server: world.serverName,
      });
      const { access_token: token } = body;
      expect((await world.http('POST', `${CLIENT}/${version}/logout`, { token })).status).toBe(200);
      expect(await world.http('GET', `${CLIENT}/v3/account/whoami`, { token })).toMatchObject(
        refusal(401, 'M_UNKNOWN_TOKEN'),
      );
    });

    it('accept a whole user record that a console sends back', async () => {
      const user = await world.account('record', { displayname: 'Before' });
      const target = path`/v2/users/${user}`;
      const { body } = await get(target);
      // Null fields are omitted, except for the type.
      const record = {
        ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
        id: user,
        avatar_src: '',
        creation_ts_ms: 1_704_067_200_000,
        displayname: 'After',
        deactivated: false,
        locked: false,
        user_type: null,
      };
      expect(await world.admin.put(`${ADMIN}${target}`, { body: record })).toMatchObject({
        status: 200,
        body: { displayname: 'After' },
      });
      expect((await get(target)).body).toEqual({ ...body, displayname: 'After' });
    });

    it.each([
      ['devices', 'devices', (): string => path`/v2/users/${alice.userId}/devices`],
      ['rooms of a user', 'joined_rooms', (): string => path`/v1/users/${alice.userId}/joined_rooms`],
      ['memberships', 'memberships', (): string => path`/v1/users/${alice.userId}/memberships`],
      ['pushers', 'pushers', (): string => path`/v1/users/${alice.userId}/pushers`],
      ['registration tokens', 'registration_tokens', (): string => '/v1/registration_tokens'],
      ['scheduled tasks', 'scheduled_tasks', (): string => '/v1/scheduled_tasks'],
    ])('ignore unsupported parameters of the list of %s', async (_, key, target) => {
      expect(await get(target(), EVERYWHERE)).toMatchObject({
        status: 200,
        body: { [key]: expect.anything() },
      });
    });

    it.each([
      '/v2/users',
      '/v3/users',
      '/v1/rooms',
      '/v1/statistics/users/media',
      '/v1/federation/destinations',
    ])('list %s and refuse an unknown order', async (target) => {
      expect(await get(target, { order_by: 'nonsense' })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it('list users with all filters of the consoles', async () => {
      const chosen = { from: 0, limit: 10, guests: true, order_by: 'name', dir: 'f', locked: false };
      expect(await get('/v2/users', { ...chosen, deactivated: false, admins: false })).toMatchObject({
        status: 200,
        body: {
          total: count,
          users: expect.arrayContaining([expect.objectContaining({ name: alice.userId })]),
        },
      });
      const states = { suspended: false, shadow_banned: false, admins: false };
      expect(await get('/v3/users', { ...chosen, ...states })).toMatchObject({ body: { total: count } });
      const all = await get<{ users: object[]; total: number }>('/v2/users', {
        limit: EVERYTHING,
        locked: true,
      });
      expect(all.body.users).toHaveLength(all.body.total);
    });

    it('list rooms with every key that some tool requires', async () => {
      const entry = {
        room_id: room,
        name: 'Seen',
        canonical_alias: `#seen:${world.serverName}`,
        joined_members: 1,
        joined_local_members: 1,
        version: '10',
        creator: alice.userId,
        encryption: null,
        federatable: flag,
        public: flag,
        join_rules: 'public',
        guest_access: null,
        history_visibility: 'shared',
        state_events: count,
        room_type: null,
      };
      const listed = await get<{ rooms: object[] }>('/v1/rooms', { search_term: 'seen' });
      expect(listed.body).toMatchObject({ rooms: [entry], offset: 0, total_rooms: 1 });
      expect((await get(path`/v1/rooms/${room}`)).body).toMatchObject({
        ...entry,
        topic: 'All of it',
        avatar: null,
        joined_local_devices: count,
        forgotten: false,
      });
      expect((await get('/v1/rooms', { limit: 0 })).body).toMatchObject({ rooms: [], total_rooms: 1 });
      expect((await get('/v1/rooms', { public_rooms: false, empty_rooms: false })).status).toBe(200);
      // Some consoles do not encode ids.
      expect((await get(`/v1/rooms/${room}/members`)).body).toEqual({ members: [alice.userId], total: 1 });
      expect((await get(path`/v1/rooms/${room}/block`)).body).toEqual({ block: false });
      expect((await get(path`/v1/rooms/${room}/forward_extremities`)).body).toMatchObject({ count: 1 });
    });

    it('show a profile, an avatar, and the room directory', async () => {
      expect(await alice.get(path`/_matrix/client/v3/profile/${alice.userId}`)).toMatchObject({
        status: 200,
        body: { displayname: alice.localpart },
      });
      const media = await uploadFile(alice, { bytes: 'bytes' });
      const at = path`${world.serverName}`.concat(path`/${media}`);
      const original = await alice.get(`/_matrix/media/v1/download/${at}`);
      expect(original).toMatchObject({ status: 200, text: 'bytes' });
      const query = { admin_unsafely_bypass_quarantine: true };
      expect((await world.admin.get(`${CLIENT}/v1/media/download/${at}`, { query })).status).toBe(200);
      expect((await get(path`/v1/users/${alice.userId}/media`, { limit: 10 })).body).toMatchObject({
        media: [{ media_id: media, created_ts: count, last_access_ts: expect.anything() }],
        total: 1,
      });
      await alice.put(path`/_matrix/client/v3/profile/${alice.userId}/avatar_url`, {
        body: { avatar_url: uriOf(world, media) },
      });
      expect((await get(path`/v2/users/${alice.userId}`)).body.avatar_url).toBe(uriOf(world, media));

      const listing = path`/_matrix/client/v3/directory/list/room/${room}`;
      expect((await world.admin.put(listing, { body: { visibility: 'public' } })).status).toBe(200);
      for (const version of ['v3', 'r0']) {
        expect(
          await world.admin.get(`${CLIENT}/${version}/publicRooms`, { query: EVERYWHERE }),
        ).toMatchObject({
          body: { chunk: [{ room_id: room }], total_room_count_estimate: 1 },
        });
      }
    });

    it('store the settings of a console in the account of its user', async () => {
      const target = path`/_matrix/client/v3/user/${world.admin.userId}/account_data/cc.example.console`;
      expect(await world.admin.get(target)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect((await world.admin.put(target, { body: { dark: true } })).status).toBe(200);
      expect((await world.admin.get(target)).body).toEqual({ dark: true });
    });

    it('accept requests with an empty object where no body is read, and without a body', async () => {
      const media = await uploadFile(alice);
      const target = `${ADMIN}${path`/v1/media/protect/${media}`}`;
      for (const request of [{}, { body: {} }]) {
        expect(await world.admin.post(target, request)).toMatchObject({ status: 200, text: '{}' });
        expect((await world.admin.get(`${ADMIN}/v2/users`, request)).status).toBe(200);
      }
      const banned = `${ADMIN}${path`/v1/users/${await world.account()}/shadow_ban`}`;
      expect(await world.admin.post(banned)).toMatchObject({ status: 200, text: '{}' });
      expect(await world.admin.delete(banned, { body: {} })).toMatchObject({ status: 200, text: '{}' });
    });

    it('list reports from a given position, as bots request them', async () => {
      const send = path`/_matrix/client/v3/rooms/${room}/send/m.room.message/reported`;
      const { event_id } = (
        await alice.put<{ event_id: string }>(send, { body: { msgtype: 'm.text', body: 'Bad' } })
      ).body;
      const report = path`/_matrix/client/v3/rooms/${room}/report/${event_id}`;
      for (const reason of ['one', 'two', 'three']) await alice.post(report, { body: { reason } });
      type Reports = { event_reports: { id: number; reason: string }[]; next_token?: number; total: number };
      const from = (token: number) => get<Reports>('/v1/event_reports', { dir: 'f', from: token, limit: 2 });
      const first = (await from(0)).body;
      expect(first).toMatchObject({
        next_token: 2,
        total: 3,
        event_reports: [{ id: count, name: 'Seen' }, {}],
      });
      const second = (await from(first.next_token ?? 0)).body;
      expect(second.event_reports).toMatchObject([{ reason: 'three', event_id, sender: alice.userId }]);
      expect(second).not.toHaveProperty('next_token');
      expect((await from(second.total)).body.event_reports).toEqual([]);
      const context = path`/v1/rooms/${room}/context/${event_id}`;
      expect((await get(context, { limit: 1 })).body).toMatchObject({ event: { event_id } });
    });

    it('support the account of a moderation bot, without rate limits', async () => {
      const target = path`/v1/users/${alice.userId}`;
      expect((await get(`${target}/admin`)).body).toEqual({ admin: false });
      const limits = { messages_per_second: 0, burst_count: 0 };
      expect((await world.admin.post(`${ADMIN}${target}/override_ratelimit`, { body: limits })).body).toEqual(
        limits,
      );
      expect((await get(`${target}/override_ratelimit`)).body).toEqual(limits);
      expect((await world.admin.delete(`${ADMIN}${target}/override_ratelimit`)).body).toEqual({});
      expect(await get('/v1/username_available', { username: alice.localpart })).toMatchObject(
        refusal(400, 'M_USER_IN_USE'),
      );
      const since = { from_ts: 0 };
      expect((await get(`${target}/sent_invite_count`, since)).body).toEqual({ invite_count: count });
      expect((await get(`${target}/cumulative_joined_room_count`, since)).body).toEqual({
        cumulative_joined_room_count: count,
      });
    });
  },
  { config: { server: { public_baseurl: 'https://chat.example.org' } } },
);
