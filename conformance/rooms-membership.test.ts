import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';

const forbidden = refusal(403, 'M_FORBIDDEN');
const badState = refusal(403, 'M_BAD_STATE');
const done = { status: 200, text: '{}' };

interface MemberEvent {
  readonly state_key: string;
  readonly sender: string;
  readonly content: { readonly membership: string; readonly [key: string]: unknown };
}

chapter('7.9 Membership', (world) => {
  let creator: Actor;
  let alice: Actor;
  let bob: Actor;
  beforeAll(async () => {
    creator = await world.user('creator');
    alice = await world.user('alice', { displayname: 'Alice A.' });
    bob = await world.user('bob');
  });

  const room = async (body: Record<string, unknown> = { preset: 'public_chat' }, by = creator) =>
    (await by.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const act = (user: Actor, roomId: string, action: string, body?: Record<string, unknown>) =>
    user.post(path`${V3}/rooms/${roomId}/`.replaceAll('%2F', '/') + action, body ? { body } : {});
  const join = (user: Actor, roomId: string) => act(user, roomId, 'join');
  const memberPath = (roomId: string, userId: string) =>
    `${V3}${path`/rooms/${roomId}/state/m.room.member/${userId}`}`;
  const putMember = (user: Actor, roomId: string, target: string, content: Record<string, unknown>) =>
    user.put(memberPath(roomId, target), { body: content });
  const memberOf = async (roomId: string, userId: string, by = creator) =>
    (await by.get<MemberEvent['content']>(memberPath(roomId, userId))).body;
  const membersOf = async (roomId: string, query = '') =>
    (await creator.get<{ chunk: MemberEvent[] }>(`${V3}${path`/rooms/${roomId}/members`}${query}`)).body.chunk
      .map(({ state_key, content }) => `${state_key} ${content.membership}`)
      .sort();

  describe('joining', () => {
    it('adds the user with their profile to a public room; a repetition changes nothing', async () => {
      const roomId = await room();
      expect(await join(alice, roomId)).toMatchObject({ status: 200, body: { room_id: roomId } });
      expect(await join(alice, roomId)).toMatchObject({ status: 200, body: { room_id: roomId } });
      expect(await memberOf(roomId, alice.userId)).toEqual({ membership: 'join', displayname: 'Alice A.' });
      expect(
        (await alice.get<{ joined_rooms: string[] }>(`${V3}/joined_rooms`)).body.joined_rooms.at(-1),
      ).toBe(roomId);
    });

    it.each(['rooms/{room}/join', 'join/{room}'])(
      'by %s keeps the content that the client gives',
      async (target) => {
        const roomId = await room();
        const to = `${V3}/${target.replace('{room}', encodeURIComponent(roomId))}`;
        const body = {
          'org.example.mood': 'good',
          reason: 'hello',
          membership: 'ban',
          third_party_signed: {},
        };
        expect(await alice.post(to, { body })).toMatchObject({ status: 200 });
        expect(await memberOf(roomId, alice.userId)).toEqual({
          membership: 'join',
          displayname: 'Alice A.',
          'org.example.mood': 'good',
          reason: 'hello',
        });
        expect(await bob.post(to, { body: { reason: 1 } })).toMatchObject(refusal(400, 'M_BAD_JSON'));
      },
    );

    it('joining a room is refused without an invitation where one is required', async () => {
      const roomId = await room({});
      expect(await join(alice, roomId)).toMatchObject(forbidden);
      expect(await act(creator, roomId, 'invite', { user_id: alice.userId, reason: 'come' })).toMatchObject(
        done,
      );
      expect(await memberOf(roomId, alice.userId)).toMatchObject({ membership: 'invite', reason: 'come' });
      expect(await join(alice, roomId)).toMatchObject({ status: 200 });
    });

    it.each([
      ['an unknown room', '!unknownunknownunk:test', 404, 'M_UNKNOWN'],
      ['an unknown alias', '#unknown:test', 404, 'M_NOT_FOUND'],
      ['neither', 'x', 400, 'M_INVALID_PARAM'],
    ])('joining a room is refused for %s', async (_, target, status, errcode) => {
      expect(await alice.post(`${V3}${path`/join/${target}`}`)).toMatchObject(refusal(status, errcode));
    });

    it('joining a room is permitted by membership of another room', async () => {
      const club = await room();
      const initial_state = [
        {
          type: 'm.room.join_rules',
          content: {
            join_rule: 'restricted',
            allow: [{ type: 'm.room_membership', room_id: club }, { type: 'other' }],
          },
        },
      ];
      const roomId = await room({ initial_state });
      expect(await join(alice, roomId)).toMatchObject(forbidden);
      await join(alice, club);
      const given = { membership: 'join', join_authorised_via_users_server: '@forged:test' };
      expect(await putMember(alice, roomId, alice.userId, given)).toMatchObject({ status: 200 });
      expect(await memberOf(roomId, alice.userId)).toMatchObject({
        join_authorised_via_users_server: creator.userId,
      });
      await act(creator, roomId, 'leave');
      await join(bob, club);
      expect(await join(bob, roomId)).toMatchObject({ status: 200 });
      const lost = await room({
        initial_state: [
          {
            type: 'm.room.join_rules',
            content: {
              join_rule: 'restricted',
              allow: [{ type: 'm.room_membership', room_id: '!gone:elsewhere' }],
            },
          },
        ],
      });
      expect(await join(alice, lost)).toMatchObject(refusal(400, 'M_UNABLE_TO_AUTHORISE_JOIN'));
    });
  });

  describe('inviting', () => {
    it.each([
      ['no id', {}, 400, 'M_MISSING_PARAM'],
      ['an id of another type', { user_id: 1 }, 400, 'M_INVALID_PARAM'],
      ['a malformed id', { user_id: 'nobody' }, 400, 'M_INVALID_PARAM'],
      ['a user of another server', { user_id: '@a:elsewhere' }, 403, 'M_FORBIDDEN'],
    ])('inviting a user is refused for %s', async (_, body, status, errcode) => {
      expect(await act(creator, await room(), 'invite', body)).toMatchObject(refusal(status, errcode));
    });

    it('inviting a user is permitted to members with the power', async () => {
      const roomId = await room();
      expect(await act(alice, roomId, 'invite', { user_id: bob.userId })).toMatchObject(forbidden);
      await join(alice, roomId);
      expect(await act(alice, roomId, 'invite', { user_id: bob.userId })).toMatchObject(forbidden);
      expect(await act(creator, roomId, 'invite', { user_id: bob.userId })).toMatchObject(done);
      expect(await act(creator, roomId, 'invite', { user_id: bob.userId })).toMatchObject(done);
      expect(await act(creator, roomId, 'invite', { user_id: alice.userId })).toMatchObject(forbidden);
      const unknown = { user_id: world.userId('not-registered') };
      expect(await act(creator, roomId, 'invite', unknown)).toMatchObject(done);
      expect(await act(creator, '!unknown:test', 'invite', { user_id: bob.userId })).toMatchObject(forbidden);
    });
  });

  describe('leaving', () => {
    it('works for joined and invited users; a repetition succeeds', async () => {
      const roomId = await room();
      await join(alice, roomId);
      expect(await act(alice, roomId, 'leave', { reason: 'bye' })).toMatchObject(done);
      expect(await act(alice, roomId, 'leave', { reason: 'bye' })).toMatchObject(done);
      expect(await act(alice, roomId, 'leave', { reason: 'otherwise' })).toMatchObject(forbidden);
      expect(await memberOf(roomId, alice.userId)).toEqual({ membership: 'leave', reason: 'bye' });
      await act(creator, roomId, 'invite', { user_id: bob.userId });
      expect(await act(bob, roomId, 'leave')).toMatchObject(done);
      expect(await act(world.admin, roomId, 'leave')).toMatchObject(forbidden);
      expect(await act(alice, '!unknown:test', 'leave')).toMatchObject(refusal(404, 'M_UNKNOWN'));
    });

    it('permits forgetting a left room', async () => {
      const roomId = await room();
      await join(alice, roomId);
      expect(await act(alice, roomId, 'forget')).toMatchObject(refusal(400, 'M_UNKNOWN'));
      await act(alice, roomId, 'leave');
      expect(await alice.get(`${V3}${path`/rooms/${roomId}/state`}`)).toMatchObject({ status: 200 });
      expect(await act(alice, roomId, 'forget')).toMatchObject(done);
      expect(await act(alice, roomId, 'forget')).toMatchObject(done);
      expect(await alice.get(`${V3}${path`/rooms/${roomId}/state`}`)).toMatchObject(forbidden);
      await act(creator, roomId, 'invite', { user_id: alice.userId });
      expect(await act(alice, roomId, 'forget')).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });
  });

  describe('moderating', () => {
    it('kicks, bans and unbans', async () => {
      const roomId = await room();
      const of = (user: Actor) => ({ user_id: user.userId });
      expect(await act(creator, roomId, 'kick', of(alice))).toMatchObject(forbidden);
      expect(await act(creator, roomId, 'unban', of(alice))).toMatchObject(badState);
      await join(alice, roomId);
      expect(await act(alice, roomId, 'kick', of(creator))).toMatchObject(forbidden);
      expect(await act(creator, roomId, 'kick', { ...of(alice), reason: 'enough' })).toMatchObject(done);
      expect(await memberOf(roomId, alice.userId)).toEqual({ membership: 'leave', reason: 'enough' });
      expect(await act(creator, roomId, 'ban', of(alice))).toMatchObject(done);
      expect(await join(alice, roomId)).toMatchObject(badState);
      expect(await act(creator, roomId, 'invite', of(alice))).toMatchObject(badState);
      expect(await act(creator, roomId, 'kick', of(alice))).toMatchObject(forbidden);
      expect(await alice.get(`${V3}${path`/rooms/${roomId}/state`}`)).toMatchObject(forbidden);
      expect(await act(creator, roomId, 'unban', of(alice))).toMatchObject(done);
      expect(await join(alice, roomId)).toMatchObject({ status: 200 });
      expect(await act(creator, roomId, 'ban', { user_id: '@never:elsewhere' })).toMatchObject(done);
      expect(await act(creator, roomId, 'ban', {})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    });

    it('a user can knock, and the knock can be accepted', async () => {
      const closed = await room({});
      expect(await alice.post(`${V3}${path`/knock/${closed}`}`)).toMatchObject(forbidden);
      const content = { join_rule: 'knock' };
      const roomId = await room({ initial_state: [{ type: 'm.room.join_rules', content }] });
      const knocked = await alice.post(`${V3}${path`/knock/${roomId}`}`, { body: { reason: 'please' } });
      expect(knocked).toMatchObject({ status: 200, body: { room_id: roomId } });
      expect(await memberOf(roomId, alice.userId)).toMatchObject({ membership: 'knock', reason: 'please' });
      expect(await act(creator, roomId, 'invite', { user_id: alice.userId })).toMatchObject(done);
      expect(await join(alice, roomId)).toMatchObject({ status: 200 });
    });
  });

  describe('through the state', () => {
    it('permits join, leave, invite and ban', async () => {
      const roomId = await room();
      const given = { membership: 'join', displayname: 'Here only' };
      expect(await putMember(alice, roomId, alice.userId, given)).toMatchObject({
        status: 200,
        body: { event_id: expect.stringMatching(/^\$/) },
      });
      expect(await memberOf(roomId, alice.userId)).toEqual(given);
      expect(await putMember(alice, roomId, bob.userId, { membership: 'join' })).toMatchObject(forbidden);
      expect(await putMember(creator, roomId, bob.userId, { membership: 'invite' })).toMatchObject({
        status: 200,
      });
      expect(await putMember(creator, roomId, bob.userId, { membership: 'ban' })).toMatchObject({
        status: 200,
      });
      expect(await putMember(alice, roomId, alice.userId, { membership: 'leave' })).toMatchObject({
        status: 200,
      });
      expect(await membersOf(roomId)).toEqual(
        [`${alice.userId} leave`, `${bob.userId} ban`, `${creator.userId} join`].sort(),
      );
      expect(await membersOf(roomId, '?membership=ban')).toEqual([`${bob.userId} ban`]);
      expect(await membersOf(roomId, '?not_membership=join')).toEqual(
        [`${alice.userId} leave`, `${bob.userId} ban`].sort(),
      );
    });

    it.each([
      ['no membership', {}],
      ['an unknown one', { membership: 'x' }],
      ['no string', { membership: 1 }],
    ])('a membership set through the state is refused for %s', async (_, content) => {
      expect((await putMember(creator, await room(), creator.userId, content)).status).toBe(400);
    });
  });

  describe('reading', () => {
    it('returns the members, to members only', async () => {
      const roomId = await room();
      const target = `${V3}${path`/rooms/${roomId}/joined_members`}`;
      expect(await alice.get(target)).toMatchObject(forbidden);
      await join(alice, roomId);
      const { body } = await alice.get(target);
      expect(body).toEqual({
        joined: {
          [creator.userId]: { display_name: creator.localpart, avatar_url: null },
          [alice.userId]: { display_name: 'Alice A.', avatar_url: null },
        },
      });
      await act(alice, roomId, 'leave');
      expect(await alice.get(target)).toMatchObject(forbidden);
      expect(await alice.get(`${V3}${path`/rooms/${'!unknown:test'}/joined_members`}`)).toMatchObject(
        forbidden,
      );
    });

    it('returns the state at the time the user left', async () => {
      const roomId = await room();
      const name = `${V3}${path`/rooms/${roomId}/state/m.room.name`}`;
      await join(alice, roomId);
      await creator.put(name, { body: { name: 'before' } });
      await act(alice, roomId, 'leave');
      await creator.put(name, { body: { name: 'after' } });
      expect((await alice.get(name)).body).toEqual({ name: 'before' });
      expect((await creator.get(name)).body).toEqual({ name: 'after' });
      expect(await bob.get(name)).toMatchObject(forbidden);
      const members = await alice.get(`${V3}${path`/rooms/${roomId}/members`}`);
      expect(members.status).toBe(200);
      const visible = { history_visibility: 'world_readable' };
      await creator.put(`${V3}${path`/rooms/${roomId}/state/m.room.history_visibility`}`, { body: visible });
      expect((await bob.get(name)).body).toEqual({ name: 'after' });
    });
  });

  describe('restricted accounts', () => {
    it('shadow-banned: invitations have no effect, leaving has', async () => {
      const user = await world.user();
      const roomId = await room({}, user);
      await world.seed?.account(user.userId, { shadow_banned: true });
      expect(await act(user, roomId, 'invite', { user_id: alice.userId })).toMatchObject(done);
      expect(await user.get(memberPath(roomId, alice.userId))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect(await putMember(user, roomId, alice.userId, { membership: 'invite' })).toMatchObject({
        status: 200,
        body: { event_id: expect.stringMatching(/^\$[\w-]{43}$/) },
      });
      expect(await user.get(memberPath(roomId, alice.userId))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect(await act(user, roomId, 'leave')).toMatchObject(done);
    });

    it('shadow-banned: no text of theirs reaches others', async () => {
      const user = await world.user();
      const target = await world.user();
      const content = { join_rule: 'knock' };
      const [roomId, knockedOn] = [
        await room(),
        await room({ preset: 'private_chat', initial_state: [{ type: 'm.room.join_rules', content }] }),
      ];
      await join(user, roomId);
      const own = await room({ preset: 'public_chat' }, user);
      await join(target, own);
      await world.seed?.account(user.userId, { shadow_banned: true });
      const member = async (reader: Actor, id: string, userId: string) =>
        (await reader.get(memberPath(id, userId))).body;
      const before = await member(creator, roomId, user.userId);

      const displayname = 'Buy this';
      const rejoined = await putMember(user, roomId, user.userId, { membership: 'join', displayname });
      expect(rejoined).toMatchObject({ status: 200 });
      expect(await act(user, roomId, 'join', { reason: displayname })).toMatchObject({ status: 200 });
      const { userId } = user;
      await user.put(path`/_proto/client/v3/profile/${userId}/displayname`, { body: { displayname } });
      const unknown = { membership: 'join', reason: displayname, 'org.example': displayname };
      expect(await putMember(user, roomId, userId, unknown)).toMatchObject({ body: rejoined.body });
      expect(await member(creator, roomId, userId)).toEqual(before);

      const kick = { user_id: target.userId, reason: displayname };
      expect(await act(user, own, 'kick', kick)).toMatchObject(done);
      expect(await member(target, own, target.userId)).toEqual({ membership: 'leave' });
      await user.post(path`/_proto/client/v3/knock/${knockedOn}`, { body: { reason: displayname } });
      expect(await member(creator, knockedOn, userId)).not.toHaveProperty('reason');
      expect(await act(user, roomId, 'leave', { reason: displayname })).toMatchObject(done);
      expect(await member(creator, roomId, userId)).toEqual({ membership: 'leave' });
    });

    it('restricted accounts are refused with more content than clients send', async () => {
      const roomId = await room();
      await join(bob, roomId);
      const before = (await bob.get(memberPath(roomId, bob.userId))).body;
      const tooLarge = refusal(413, 'M_TOO_LARGE');
      const reason = 'a'.repeat(513);
      expect(await act(bob, roomId, 'join', { reason })).toMatchObject(tooLarge);
      expect(await act(bob, roomId, 'leave', { reason })).toMatchObject(tooLarge);
      expect(await act(creator, roomId, 'ban', { user_id: bob.userId, reason })).toMatchObject(tooLarge);
      const put = (content: object) => putMember(bob, roomId, bob.userId, { membership: 'join', ...content });
      expect(await put({ key: 'a'.repeat(4_096) })).toMatchObject(tooLarge);
      expect(await put({ displayname: 'a'.repeat(257) })).toMatchObject(refusal(400, 'M_UNKNOWN'));
      expect((await bob.get(memberPath(roomId, bob.userId))).body).toEqual(before);
      expect(await put({ displayname: 'a'.repeat(256), reason: 'b'.repeat(512) })).toMatchObject({
        status: 200,
      });
    });

    it('suspended: can only leave', async () => {
      const user = await world.user();
      const roomId = await room();
      await join(user, roomId);
      await world.seed?.account(user.userId, { suspended: true });
      const suspended = refusal(403, 'M_USER_SUSPENDED');
      expect(await join(user, await room())).toMatchObject(suspended);
      expect(await act(user, roomId, 'invite', { user_id: bob.userId })).toMatchObject(suspended);
      expect(await user.post(`${V3}/createRoom`, { body: {} })).toMatchObject(suspended);
      expect(await act(user, roomId, 'leave')).toMatchObject(done);
    });
  });
});
