import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { NOTICES as notices, openServer, strictServer } from './shared-settings.ts';

const SEND = '/_service/admin/v1/send_server_notice';
const ROOMS = '/_service/admin/v1/rooms';
const V3 = '/_proto/client/v3';

const unknown = refusal(400, 'M_UNKNOWN');
const missing = refusal(400, 'M_MISSING_PARAM');
const invalid = refusal(400, 'M_INVALID_PARAM');
const badJson = refusal(400, 'M_BAD_JSON');
const notJson = refusal(400, 'M_NOT_JSON');
const notFound = refusal(404, 'M_NOT_FOUND');
const cannotLeave = refusal(403, 'M_CANNOT_LEAVE_SERVER_NOTICE_ROOM');

interface Event {
  readonly event_id: string;
  readonly type: string;
  readonly sender: string;
  readonly state_key?: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly unsigned: Readonly<Record<string, unknown>>;
}

chapter(
  '7 Server notices',
  (world, { isOneProcess }) => {
    const sender = () => world.userId('notices');
    const text = (body: string) => ({ msgtype: 'm.text', body });
    const post = (user: Actor, more: Record<string, unknown> = {}, by = world.admin) =>
      by.post<{ event_id: string }>(SEND, {
        body: { user_id: user.userId, content: text('Hello'), ...more },
      });
    const put = (txnId: string, user: Actor, body: string, by = world.admin) =>
      by.put<{ event_id: string }>(`${SEND}/${txnId}`, {
        body: { user_id: user.userId, content: text(body) },
      });
    const sent = async (reply: ReturnType<typeof post>) => {
      const { status, body } = await reply;
      expect({ status, body }).toEqual({ status: 200, body: { event_id: expect.stringMatching(/^\$/) } });
      return body.event_id;
    };
    /** The memberships of the user, by room. */
    const rooms = async ({ userId }: Actor) => {
      const at = path`/_service/admin/v1/users/${userId}/memberships`;
      return (await world.admin.get<{ memberships: Record<string, string> }>(at)).body.memberships;
    };
    /** The only room that the user is invited to. */
    const noticeRoom = async (user: Actor, membership = 'invite') => {
      const found = Object.entries(await rooms(user)).filter(([, is]) => is === membership);
      expect(found).toHaveLength(1);
      return found[0]?.[0] ?? '';
    };
    const act = (by: Actor, room: string, action: string, body: Record<string, unknown> = {}) =>
      by.post(`${V3}${path`/rooms/${room}`}/${action}`, { body });
    const messages = async (room: string) => {
      const at = `${ROOMS}${path`/${room}/messages`}?dir=f&limit=100`;
      return (await world.admin.get<{ chunk: Event[] }>(at)).body.chunk;
    };
    const listed = async (room: string) =>
      (await messages(room)).filter(({ type }) => type === 'm.room.message').map(({ event_id }) => event_id);

    it('creates a room in which only the server can send', async () => {
      const user = await world.user('reader');
      const eventId = await sent(post(user));
      const room = await noticeRoom(user);
      const events = await messages(room);
      const state = (type: string, key = '') =>
        events.findLast((event) => event.type === type && event.state_key === key)?.content;
      expect(state('m.room.create')).toMatchObject({ creator: sender() });
      expect(state('m.room.join_rules')).toEqual({ join_rule: 'invite' });
      expect(state('m.room.history_visibility')).toEqual({ history_visibility: 'shared' });
      expect(state('m.room.name')).toEqual({ name: 'From the server' });
      expect(state('m.room.topic')).toBeUndefined();
      expect(state('m.room.avatar')).toBeUndefined();
      expect(state('m.room.power_levels')).toMatchObject({ users_default: -10, users: { [sender()]: 100 } });
      const member = { membership: 'join', displayname: 'The server', avatar_url: notices.avatar_url };
      expect(state('m.room.member', sender())).toMatchObject(member);
      expect(events.at(-1)).toMatchObject({
        event_id: eventId,
        type: 'm.room.message',
        sender: sender(),
        content: text('Hello'),
      });
      const tags = `${V3}${path`/user/${user.userId}/rooms/${room}/tags`}`;
      expect((await user.get(tags)).body).toEqual({ tags: { 'm.server_notice': {} } });
      expect((await act(user, room, 'join')).status).toBe(200);
      const target = `${V3}${path`/rooms/${room}/send/m.room.message/1`}`;
      expect(await user.put(target, { body: text('Me too') })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });

    it('uses the room of an invited or joined user, and creates a new one for a user who left', async () => {
      const user = await world.user('reader');
      const first = await sent(post(user));
      const room = await noticeRoom(user);
      const second = await sent(post(user));
      await act(user, room, 'join');
      const third = await sent(post(user));
      expect(await listed(room)).toEqual([first, second, third]);
      expect((await act(user, room, 'leave')).status).toBe(200);
      const fourth = await sent(post(user));
      const other = await noticeRoom(user);
      expect(other).not.toBe(room);
      expect(await listed(other)).toEqual([fourth]);
    });

    it('protects the sender from callers who may not send notices', async () => {
      const user = await world.account();
      await world.admin.post('/_service/admin/v1/send_server_notice', {
        body: { user_id: user, content: { msgtype: 'm.text', body: 'x' } },
      });
      const caller = await world.user();
      const scopes = ['users:write', 'users:credentials', 'users:impersonate'];
      const name = world.freshName('role');
      const change = (body: object) => world.admin.put(`/_service/admin/v1/roles/${name}`, { body });
      await world.admin.post('/_service/admin/v1/roles', { body: { name, scopes } });
      await world.admin.put(path`/_service/admin/v1/users/${caller.userId}/roles`, {
        body: { roles: [name] },
      });
      const attempts = () => [
        caller.post(path`/_service/admin/v1/users/${sender()}/login`, { body: {} }),
        caller.post(path`/_service/admin/v1/reset_password/${sender()}`, {
          body: { new_password: 'x', logout_devices: false },
        }),
        caller.put(path`/_service/admin/v2/users/${sender()}`, { body: { password: 'x' } }),
      ];
      const rename = () =>
        caller.put(path`/_service/admin/v2/users/${sender()}`, { body: { displayname: 'The server' } });
      const forbidden = refusal(403, 'M_FORBIDDEN');
      for (const attempt of [...attempts(), rename()]) expect(await attempt).toMatchObject(forbidden);
      await change({ scopes: [...scopes, 'notices:send'] });
      // Logging in to it is refused, also for callers who may change it.
      for (const attempt of attempts()) expect(await attempt).toMatchObject(forbidden);
      expect(await rename()).toMatchObject({ status: 200 });
    });

    it('does not make the sender the new administrator of a room for a report, without `notices:send`', async () => {
      const user = await world.user('reader');
      const create = { body: { preset: 'public_chat' } };
      const room = (await user.post<{ room_id: string }>(`${V3}/createRoom`, create)).body.room_id;
      await act(user, room, 'report', { reason: 'Spam' });
      const inbox = await world.admin.get<{ reports: { id: string }[] }>('/_service/admin/v1/reports', {
        query: { room_id: room },
      });
      const id = inbox.body.reports[0]?.id ?? '';
      const caller = await world.user();
      const scopes = ['reports:read', 'reports:write', 'rooms:write', 'rooms:delete'];
      const name = world.freshName('role');
      await world.admin.post('/_service/admin/v1/roles', { body: { name, scopes } });
      const held = { body: { roles: [name] } };
      await world.admin.put(path`/_service/admin/v1/users/${caller.userId}/roles`, held);
      const orders = [{ kind: 'delete_room', message: 'Closed', new_room_user_id: sender() }];
      const resolve = () =>
        caller.post(path`/_service/admin/v1/reports/${id}/resolve`, {
          body: { outcome: 'actioned', reason: 'Spam', orders },
        });
      const exists = async () => (await world.admin.get(path`/_service/admin/v1/rooms/${room}`)).status;
      expect(await resolve()).toMatchObject({
        ...refusal(403, 'M_FORBIDDEN'),
        body: { error: expect.stringMatching(/^orders\[0\] \(delete_room\).*notices:send/) },
      });
      expect(await exists()).toBe(200);
      const wider = { body: { scopes: [...scopes, 'notices:send'] } };
      await world.admin.put(path`/_service/admin/v1/roles/${name}`, wider);
      expect(await resolve()).toMatchObject({ status: 200 });
      await expect.poll(exists).toBe(404);
    });

    it('reserves the name of the sender', async () => {
      const inUse = refusal(400, 'M_USER_IN_USE');
      const available = '/_service/admin/v1/username_available?username=notices';
      expect(await world.admin.get(available)).toMatchObject(inUse);
    });

    it('creates one room for concurrent notices', async () => {
      const user = await world.user('reader');
      const ids = await Promise.all(Array.from({ length: 8 }, () => sent(post(user))));
      expect(new Set(ids).size).toBe(8);
      expect(new Set(await listed(await noticeRoom(user)))).toEqual(new Set(ids));
    });

    it('sends other event types, and state', async () => {
      const user = await world.user('reader');
      const other = await sent(post(user, { type: 'org.test', content: { any: ['thing'] } }));
      const state = await sent(post(user, { type: 'org.test', state_key: '', content: { a: 1 } }));
      const none = await sent(post(user, { state_key: null }));
      const events = await messages(await noticeRoom(user));
      const of = (id: string) => events.find(({ event_id }) => event_id === id);
      expect(of(other)).toMatchObject({ type: 'org.test', content: { any: ['thing'] } });
      expect(of(other)?.state_key).toBeUndefined();
      expect(of(state)).toMatchObject({ type: 'org.test', state_key: '', content: { a: 1 } });
      expect(of(none)?.state_key).toBeUndefined();
    });

    describe('a transaction', () => {
      it('sends one notice, whatever its repetitions contain', async () => {
        const user = await world.user('reader');
        const txn = world.freshName('txn');
        const first = await sent(put(txn, user, 'one'));
        expect(await sent(put(txn, user, 'two'))).toBe(first);
        const repeated = await world.admin.put(`${SEND}/${txn}`, { rawBody: '' });
        expect(repeated).toMatchObject({ status: 200, body: { event_id: first } });
        const room = await noticeRoom(user);
        expect(await listed(room)).toEqual([first]);
        expect((await messages(room)).at(-1)?.unsigned).not.toHaveProperty('transaction_id');
      });

      it('sends one notice for concurrent repetitions', async () => {
        const user = await world.user('reader');
        const txn = world.freshName('txn');
        const ids = await Promise.all(Array.from({ length: 6 }, () => sent(put(txn, user, 'x'))));
        expect(new Set(ids).size).toBe(1);
        expect(await listed(await noticeRoom(user))).toEqual([ids[0]]);
      });

      it('of another device or user is a different one', async () => {
        const user = await world.user('reader');
        const txn = world.freshName('txn');
        const otherAdmin = await world.user('admin', { admin: true });
        const callers = [world.admin, await world.login(world.admin), otherAdmin];
        const ids: string[] = [];
        for (const by of callers) ids.push(await sent(put(txn, user, 'x', by)));
        expect(await listed(await noticeRoom(user))).toEqual(ids);
      });

      it('the transaction of a notice is not stored if the notice was refused', async () => {
        const user = await world.user('reader');
        const to = `${SEND}/${world.freshName('txn')}`;
        expect(await world.admin.put(to, { body: { user_id: user.userId } })).toMatchObject(missing);
        expect(
          await world.admin.put(to, { body: { user_id: user.userId, content: text('x') } }),
        ).toMatchObject({ status: 200 });
      });
    });

    describe('a notice is refused', () => {
      it.each([
        ['without a user', { user_id: undefined }, missing],
        ['without content', { content: undefined }, missing],
        ['to a malformed user id', { user_id: 'x' }, invalid],
        ['to a user id of another type', { user_id: 5 }, invalid],
        ['to null', { user_id: null }, invalid],
        ['to a user of another server', { user_id: '@x:elsewhere' }, unknown],
        ['to an unknown user', { user_id: '@nobody:test' }, notFound],
        ['with content that is not an object', { content: 'x' }, badJson],
        ['with null for content', { content: null }, badJson],
        ['without a text', { content: {} }, unknown],
        ['with a malformed text', { content: { msgtype: 'm.text', body: 5 } }, unknown],
        ['without a message type', { content: { body: 'x' } }, unknown],
        ['with numbers that events cannot have', { type: 'org.test', content: { a: 1.5 } }, badJson],
        ['as a membership', { type: 'm.room.member', state_key: '@x:test' }, unknown],
        ['with a type that is not a string', { type: 5 }, badJson],
      ])('%s, and creates no room', async (_, more, refused) => {
        const user = await world.user('reader');
        expect(await post(user, more)).toMatchObject(refused);
        expect(await rooms(user)).toEqual({});
      });

      it('to an unknown user, before the content is checked', async () => {
        const body = { user_id: '@nobody:test', content: 'x' };
        expect(await world.admin.post(SEND, { body })).toMatchObject(notFound);
      });

      it('without a body', async () => {
        for (const to of [SEND, `${SEND}/1`]) {
          const request = { rawBody: '' };
          const reply = to === SEND ? world.admin.post(to, request) : world.admin.put(to, request);
          expect(await reply).toMatchObject(notJson);
        }
      });

      it('to the sender of notices', async () => {
        await sent(post(await world.user('reader')));
        const body = { user_id: sender(), content: text('x') };
        expect(await world.admin.post(SEND, { body })).toMatchObject(unknown);
      });
    });

    it('cannot be prevented by rejecting the invitation', async () => {
      const user = await world.user('reader');
      await sent(post(user));
      const room = await noticeRoom(user);
      expect(await act(user, room, 'leave')).toMatchObject(cannotLeave);
      const member = `${V3}${path`/rooms/${room}/state/m.room.member/${user.userId}`}`;
      expect(await user.put(member, { body: { membership: 'leave' } })).toMatchObject(cannotLeave);
      expect((await rooms(user))[room]).toBe('invite');
      expect((await user.put(member, { body: { membership: 'join' } })).status).toBe(200);
      expect((await act(user, room, 'leave')).status).toBe(200);
    });

    it('a notice is sent by a user who cannot be invited', async () => {
      const user = await world.user('host');
      const create = (body: Record<string, unknown>) =>
        user.post<{ room_id: string }>(`${V3}/createRoom`, { body });
      const { room_id: room } = (await create({})).body;
      const forbidden = refusal(403, 'M_FORBIDDEN');
      expect(await act(user, room, 'invite', { user_id: sender() })).toMatchObject(forbidden);
      expect(await create({ invite: [sender()] })).toMatchObject(forbidden);
    });

    it('a notice is sent by an account that cannot log in and does not appear in search results', async () => {
      const user = await world.user('reader');
      await sent(post(user));
      const account = await world.admin.get(path`/_service/admin/v2/users/${sender()}`);
      expect(account).toMatchObject({ status: 200, body: { displayname: 'The server' } });
      const login = {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: 'notices' },
        password: '',
      };
      expect((await world.http('POST', `${V3}/login`, { body: login })).status).toBe(403);
    });

    it('a notice is refused while the sender is deactivated, and sent in a new room after the reactivation', async () => {
      const user = await world.user('reader');
      await sent(post(user));
      const room = await noticeRoom(user);
      const account = path`/_service/admin/v2/users/${sender()}`;
      const change = async (body: object) =>
        expect((await world.admin.put(account, { body })).status).toBe(200);
      await change({ deactivated: true });
      // The sender leaves its rooms afterwards.
      await expect.poll(() => post(user)).toMatchObject(unknown);
      expect(await post(await world.user('reader'))).toMatchObject(unknown);
      expect(await put(world.freshName('txn'), user, 'x')).toMatchObject(unknown);
      await change({ deactivated: false });
      const last = await sent(post(user));
      const { [room]: _, ...others } = await rooms(user);
      const [[other = '', membership] = [], ...more] = Object.entries(others);
      expect({ membership, more }).toEqual({ membership: 'invite', more: [] });
      expect(await listed(other)).toEqual([last]);
    });

    it('a notice is tagged with the next notice if the reader was deactivated when the room was created', async () => {
      const user = await world.user('reader');
      const account = path`/_service/admin/v2/users/${user.userId}`;
      const change = async (body: object) =>
        expect((await world.admin.put(account, { body })).status).toBe(200);
      await change({ deactivated: true });
      await sent(post(user));
      await change({ deactivated: false, password: user.password });
      const reader = await world.login(user);
      const room = await noticeRoom(user);
      await sent(post(user));
      const tags = `${V3}${path`/user/${user.userId}/rooms/${room}/tags`}`;
      expect((await reader.get(tags)).body).toEqual({ tags: { 'm.server_notice': {} } });
    });

    it('a notice is refused before anything happens if no event can hold it', async () => {
      const user = await world.user('reader');
      const tooLarge = refusal(413, 'M_TOO_LARGE');
      expect(await post(user, { content: text('x'.repeat(65_400)) })).toMatchObject(tooLarge);
      expect(await rooms(user)).toEqual({});
    });

    it.runIf(isOneProcess)("shows the sender's current name and avatar from the configuration", async () => {
      const user = await world.user('reader');
      await sent(post(user));
      await world.restart({ config: { notices: { ...notices, display_name: 'Renamed' } } });
      await sent(post(user));
      const shown = (await messages(await noticeRoom(user))).filter(
        ({ state_key }) => state_key === sender(),
      );
      expect(shown.map(({ content }) => content.displayname)).toEqual(['The server', 'Renamed']);
    });

    it.runIf(isOneProcess)('updates existing rooms when the configuration changes', async () => {
      const user = await world.user('reader');
      await sent(post(user));
      const room = await noticeRoom(user);
      const restart = (more: Record<string, unknown>) =>
        world.restart({ config: { notices: { ...notices, ...more } } });
      const first = { room_avatar_url: notices.avatar_url, room_topic: 'News' };
      for (const more of [first, { room_topic: 'More news' }, { ...first, room_name: 'Renamed' }, {}]) {
        await restart(more);
        await Promise.all([sent(post(user)), sent(post(user))]);
      }
      expect((await rooms(user))[room]).toBe('invite');
      const all = await messages(room);
      const contentsOf = (type: string) =>
        all.filter((event) => event.type === type).map(({ content }) => content);
      expect(contentsOf('m.room.avatar')).toEqual([{ url: notices.avatar_url }]);
      expect(contentsOf('m.room.topic').map(({ topic }) => topic)).toEqual(['News', 'More news', 'News']);
      expect(contentsOf('m.room.name')).toEqual([{ name: 'From the server' }]);
      await restart({ auto_join: true });
      const last = await sent(post(user));
      expect(await noticeRoom(user, 'join')).toBe(room);
      expect((await listed(room)).at(-1)).toBe(last);
    });

    it.runIf(isOneProcess)('a notice is refused where notices are disabled', async () => {
      const user = await world.user('reader');
      await world.restart({ config: {} });
      expect(await post(user)).toMatchObject(unknown);
      expect(await post(user, { user_id: 'x', content: 'x' })).toMatchObject(unknown);
      expect(await post(user, { user_id: undefined })).toMatchObject(missing);
    });
  },
  { config: openServer },
);

chapter(
  '14.3 Server notices in rooms that readers join automatically',
  (world) => {
    const send = async (user: Pick<Actor, 'userId'>) => {
      const body = { user_id: user.userId, content: { msgtype: 'm.text', body: 'Hello' } };
      const reply = await world.admin.post<{ event_id: string }>(SEND, { body });
      expect(reply.status).toBe(200);
      return reply.body.event_id;
    };
    const membershipsOf = async ({ userId }: Pick<Actor, 'userId'>) => {
      const target = path`/_service/admin/v1/users/${userId}/memberships`;
      const { body } = await world.admin.get<{ memberships: Record<string, string> }>(target);
      return Object.entries(body.memberships);
    };
    const eventsOf = async (room: string) => {
      const target = `${ROOMS}${path`/${room}/messages`}?dir=f&limit=100`;
      return (await world.admin.get<{ chunk: Event[] }>(target)).body.chunk;
    };

    it('makes the reader join a room with the configured avatar and topic', async () => {
      const user = await world.user('reader');
      await user.put(`${V3}${path`/profile/${user.userId}/displayname`}`, {
        body: { displayname: 'Reader' },
      });
      const eventId = await send(user);
      const [[room = '', membership] = [], ...others] = await membershipsOf(user);
      expect({ membership, others }).toEqual({ membership: 'join', others: [] });
      const events = await eventsOf(room);
      const contentsOf = (type: string, key = '') =>
        events
          .filter((event) => event.type === type && event.state_key === key)
          .map(({ content }) => content);
      expect(contentsOf('m.room.avatar')).toEqual([{ url: 'mxc://test/room' }]);
      expect(contentsOf('m.room.topic')).toMatchObject([{ topic: 'News' }]);
      expect(contentsOf('m.room.member', user.userId)).toMatchObject([
        { membership: 'invite', displayname: 'Reader' },
        { membership: 'join', displayname: 'Reader' },
      ]);
      expect(events.at(-1)).toMatchObject({ event_id: eventId, type: 'm.room.message' });
      const synced = await user.get<{ rooms: { join: Record<string, unknown> } }>(`${V3}/sync?timeout=0`);
      expect(synced.body.rooms.join).toMatchObject({
        [room]: {
          timeline: { events: expect.arrayContaining([expect.objectContaining({ event_id: eventId })]) },
          account_data: { events: [{ type: 'm.tag', content: { tags: { 'm.server_notice': {} } } }] },
        },
      });
    });

    it('joins and updates once for concurrent notices', async () => {
      const user = await world.user('reader');
      const ids = await Promise.all(Array.from({ length: 6 }, () => send(user)));
      const [[room = '', membership] = [], ...others] = await membershipsOf(user);
      expect({ membership, others }).toEqual({ membership: 'join', others: [] });
      const events = await eventsOf(room);
      for (const type of ['m.room.avatar', 'm.room.topic']) {
        expect(events.filter((event) => event.type === type)).toHaveLength(1);
      }
      expect(events.filter(({ state_key }) => state_key === user.userId)).toHaveLength(2);
      const sent = events.filter(({ type }) => type === 'm.room.message').map(({ event_id }) => event_id);
      expect(sent.toSorted()).toEqual(ids.toSorted());
    });

    it('creates a new room for a reader who left, and makes the reader join it', async () => {
      const user = await world.user('reader');
      await send(user);
      const [[first = ''] = []] = await membershipsOf(user);
      expect((await user.post(`${V3}${path`/rooms/${first}`}/leave`, { body: {} })).status).toBe(200);
      await send(user);
      const memberships = new Map(await membershipsOf(user));
      expect(memberships.get(first)).toBe('leave');
      expect([...memberships.values()].toSorted()).toEqual(['join', 'leave']);
    });

    it('invites a deactivated reader, who joins with the first notice after the reactivation', async () => {
      const user = await world.user('reader');
      const account = path`/_service/admin/v2/users/${user.userId}`;
      await world.admin.put(account, { body: { deactivated: true } });
      await send(user);
      expect(await membershipsOf(user)).toEqual([[expect.any(String), 'invite']]);
      await world.admin.put(account, { body: { deactivated: false, password: 'a new password' } });
      await send(user);
      expect(await membershipsOf(user)).toEqual([[expect.any(String), 'join']]);
    });

    const withdrawGuestAccess = async ({ userId }: Pick<Actor, 'userId'>) => {
      const content = { guest_access: 'forbidden' };
      const body = { user_id: userId, type: 'm.room.guest_access', state_key: '', content };
      expect(await world.admin.post(SEND, { body })).toMatchObject({ status: 200 });
    };

    it('makes a guest join as a guest, who leaves when guest access is withdrawn', async () => {
      const user = await world.guest();
      await send(user);
      const [[room = ''] = []] = await membershipsOf(user);
      const members = (await eventsOf(room)).filter(({ state_key }) => state_key === user.userId);
      expect(members.map(({ content }) => content)).toMatchObject([
        { membership: 'invite' },
        { membership: 'join', kind: 'guest' },
      ]);
      await withdrawGuestAccess(user);
      await expect.poll(() => membershipsOf(user), { timeout: 60_000 }).toEqual([[room, 'leave']]);
    });

    it('does not make a guest join a room that does not admit guests', async () => {
      const user = await world.guest();
      const account = path`/_service/admin/v2/users/${user.userId}`;
      await world.admin.put(account, { body: { deactivated: true } });
      await send(user);
      await withdrawGuestAccess(user);
      const reactivated = await world.admin.put(account, { body: { deactivated: false, password: null } });
      expect(reactivated.status).toBe(200);
      await send(user);
      expect(await membershipsOf(user)).toEqual([[expect.any(String), 'invite']]);
    });
  },
  { config: strictServer },
);
