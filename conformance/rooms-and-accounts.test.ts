import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';

const V3 = '/_proto/client/v3';

interface Member {
  readonly membership: string;
  readonly [key: string]: unknown;
}

interface Message {
  readonly type: string;
  readonly sender: string;
  readonly content: Readonly<Record<string, unknown>>;
}

chapter('Effects of account changes on rooms', (world) => {
  let creator: Actor;
  beforeAll(async () => {
    creator = await world.user('creator');
  });

  const inRoom = (roomId: string) => V3 + path`/rooms/${roomId}`;
  const room = async (body: object = { preset: 'public_chat' }, by = creator) =>
    (await by.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const joinedRoom = async (...users: readonly Pick<Actor, 'post'>[]) => {
    const roomId = await room();
    for (const user of users) expect((await user.post(`${inRoom(roomId)}/join`)).status).toBe(200);
    return roomId;
  };
  const memberPath = (roomId: string, userId: string) =>
    inRoom(roomId) + path`/state/m.room.member/${userId}`;
  const memberOf = async (roomId: string, userId: string) =>
    (await creator.get<Member>(memberPath(roomId, userId))).body;
  const ownMemberEvents = async (roomId: string, userId: string) => {
    const { body } = await creator.get<{ chunk: Message[] }>(`${inRoom(roomId)}/messages?dir=b&limit=100`);
    return body.chunk
      .filter(({ type, sender }) => type === 'm.room.member' && sender === userId)
      .map(({ content }) => content);
  };
  const change = (userId: string, body: object) =>
    world.admin.put(path`/_service/admin/v2/users/${userId}`, { body });
  const deactivate = (userId: string, body: object = {}) =>
    world.admin.post(path`/_service/admin/v1/deactivate/${userId}`, { body });
  const roomsOf = async (userId: string) =>
    (
      await world.admin.get<{ memberships: Record<string, string> }>(
        path`/_service/admin/v1/users/${userId}/memberships`,
      )
    ).body.memberships;

  describe('7.5 A new profile', () => {
    const profilePath = (userId: string, part: string) => V3 + path`/profile/${userId}/${part}`;

    it('appears once in every room, whether the user or an administrator changes it', async () => {
      const user = await world.user('user');
      const rooms = [await joinedRoom(user), await joinedRoom(user)];
      const name = profilePath(user.userId, 'displayname');
      expect((await user.put(name, { body: { displayname: 'New' } })).status).toBe(200);
      for (const roomId of rooms) {
        await expect
          .poll(() => memberOf(roomId, user.userId))
          .toEqual({ membership: 'join', displayname: 'New' });
      }
      await change(user.userId, { displayname: '', avatar_url: 'mxc://test/new' });
      for (const roomId of rooms) {
        await expect
          .poll(() => memberOf(roomId, user.userId))
          .toEqual({ membership: 'join', avatar_url: 'mxc://test/new' });
      }
      // The join, the new name, and then name and avatar, in one event or two.
      expect([3, 4]).toContain((await ownMemberEvents(rooms[0] ?? '', user.userId)).length);
    });

    it('leaves the name and the avatar that the user has chosen for a room', async () => {
      const user = await world.user('user');
      const [chosen, other] = [await joinedRoom(user), await joinedRoom(user)];
      const member = `${inRoom(chosen)}/state/m.room.member/${encodeURIComponent(user.userId)}`;
      const own = { membership: 'join', displayname: 'Only here' };
      expect((await user.put(member, { body: own })).status).toBe(200);
      const avatar_url = 'mxc://test/a';
      expect((await user.put(profilePath(user.userId, 'avatar_url'), { body: { avatar_url } })).status).toBe(
        200,
      );
      await change(user.userId, { displayname: 'Everywhere' });
      await expect
        .poll(() => memberOf(other, user.userId))
        .toMatchObject({ displayname: 'Everywhere', avatar_url });
      await expect.poll(() => memberOf(chosen, user.userId)).toEqual({ ...own, avatar_url });
      // A user who gives up the choice follows the profile again.
      await user.put(member, { body: { membership: 'join' } });
      await change(user.userId, { displayname: 'Later' });
      await expect.poll(async () => (await memberOf(chosen, user.userId)).displayname).toBe('Later');
    });

    it('does not appear in left rooms, nor for a shadow-banned user', async () => {
      const user = await world.user('user');
      const [left, banned, stayed] = [await joinedRoom(user), await joinedRoom(user), await joinedRoom(user)];
      await user.post(`${inRoom(left)}/leave`);
      await creator.post(`${inRoom(banned)}/ban`, { body: { user_id: user.userId } });
      await change(user.userId, { displayname: 'Seen' });
      await expect.poll(async () => (await memberOf(stayed, user.userId)).displayname).toBe('Seen');
      expect(await memberOf(left, user.userId)).toEqual({ membership: 'leave' });
      expect(await memberOf(banned, user.userId)).toMatchObject({ membership: 'ban' });

      await world.admin.post(path`/_service/admin/v1/users/${user.userId}/shadow_ban`);
      await user.put(profilePath(user.userId, 'displayname'), { body: { displayname: 'Unseen' } });
      await world.admin.delete(path`/_service/admin/v1/users/${user.userId}/shadow_ban`);
      await change(user.userId, { avatar_url: 'mxc://test/a' });
      await expect.poll(async () => (await memberOf(stayed, user.userId)).avatar_url).toBe('mxc://test/a');
      // Changes reach rooms in order: an earlier change would be a separate event.
      expect(await ownMemberEvents(stayed, user.userId)).toEqual([
        { membership: 'join', displayname: 'Unseen', avatar_url: 'mxc://test/a' },
        { membership: 'join', displayname: 'Seen' },
        { membership: 'join', displayname: user.localpart },
      ]);
    });
  });

  describe('2.5 Deactivation', () => {
    it('leaves all rooms, and rejects invitations and knocks', async () => {
      const user = await world.user('user');
      const joined = await joinedRoom(user);
      const alone = await room({ preset: 'private_chat' }, user);
      const invited = await room({ invite: [user.userId] });
      const knocked = await room({
        initial_state: [{ type: 'm.room.join_rules', content: { join_rule: 'knock' } }],
      });
      expect((await user.post(V3 + path`/knock/${knocked}`)).status).toBe(200);
      const banned = await joinedRoom(user);
      await creator.post(`${inRoom(banned)}/ban`, { body: { user_id: user.userId } });

      expect((await deactivate(user.userId)).status).toBe(200);
      await expect
        .poll(() => roomsOf(user.userId))
        .toEqual({
          [joined]: 'leave',
          [alone]: 'leave',
          [invited]: 'leave',
          [knocked]: 'leave',
          [banned]: 'ban',
        });
      for (const roomId of [joined, invited, knocked]) {
        expect(await memberOf(roomId, user.userId)).toEqual({ membership: 'leave' });
      }
      const [later, another] = [await room({ invite: [user.userId] }), await room({})];
      await creator.post(`${inRoom(another)}/invite`, { body: { user_id: user.userId } });
      expect(await roomsOf(user.userId)).toMatchObject({ [later]: 'invite', [another]: 'invite' });
    });

    it('succeeds despite restrictions of the user and blocked rooms', async () => {
      const user = await world.user('user');
      const roomId = await joinedRoom(user);
      await world.admin.post(path`/_service/admin/v1/users/${user.userId}/shadow_ban`);
      await world.admin.put(path`/_service/admin/v1/rooms/${roomId}/block`, { body: { block: true } });
      await change(user.userId, { deactivated: true });
      await expect.poll(() => roomsOf(user.userId)).toEqual({ [roomId]: 'leave' });
    });

    it('keeps rooms that a reactivated user joins later', async () => {
      const user = await world.user('user');
      const roomId = await joinedRoom(user);
      await deactivate(user.userId);
      await expect.poll(() => roomsOf(user.userId)).toEqual({ [roomId]: 'leave' });
      await change(user.userId, { deactivated: false, password: user.password });
      const again = await world.login(user);
      await again.post(`${inRoom(roomId)}/join`);
      await change(user.userId, { displayname: 'Back' });
      await expect
        .poll(() => memberOf(roomId, user.userId))
        .toEqual({ membership: 'join', displayname: 'Back' });
    });

    it('with erasure shows events of the user only to members at the time', async () => {
      const user = await world.user('user', { displayname: 'Erased' });
      const roomId = await joinedRoom(user);
      const sent = await user.put<{ event_id: string }>(`${inRoom(roomId)}/send/m.room.message/1`, {
        body: { msgtype: 'm.text', body: 'hello' },
      });
      const late = await world.user('late');
      await late.post(`${inRoom(roomId)}/join`);
      const seenBy = async (reader: Actor) =>
        (await reader.get<Message>(inRoom(roomId) + path`/event/${sent.body.event_id}`)).body.content;
      expect(await seenBy(late)).toMatchObject({ body: 'hello' });

      await deactivate(user.userId, { erase: true });
      await expect.poll(() => memberOf(roomId, user.userId)).toEqual({ membership: 'leave' });
      expect(await seenBy(late)).toEqual({});
      expect(await seenBy(creator)).toMatchObject({ body: 'hello' });
    });
  });

  describe('5.3 Guests', () => {
    const ACCESS = 'm.room.guest_access';

    it('guests are removed from rooms that forbid guests, and other users are not', async () => {
      const [guest, user] = [await world.user('guest'), await world.user('user')];
      await world.seed?.account(guest.userId, { is_guest: true });
      const roomId = await room({
        preset: 'public_chat',
        initial_state: [{ type: ACCESS, content: { guest_access: 'can_join' } }],
      });
      for (const each of [guest, user]) await each.post(`${inRoom(roomId)}/join`);
      await change(guest.userId, { displayname: 'Visitor' });
      await expect
        .poll(() => memberOf(roomId, guest.userId))
        .toMatchObject({ membership: 'join', displayname: 'Visitor', kind: 'guest' });

      const put = (guest_access: string) =>
        creator.put(`${inRoom(roomId)}/state/${ACCESS}`, { body: { guest_access } });
      await put('forbidden');
      await expect.poll(() => memberOf(roomId, guest.userId)).toEqual({ membership: 'leave' });
      expect(await memberOf(roomId, user.userId)).toMatchObject({ membership: 'join' });
      await put('can_join');
      expect((await guest.post(`${inRoom(roomId)}/join`)).status).toBe(200);
    });
  });

  describe('7.5 The user directory', () => {
    const found = async (by: Actor, term: string) =>
      (
        await by.post<{ results: { user_id: string }[] }>(`${V3}/user_directory/search`, {
          body: { search_term: term },
        })
      ).body.results.map(({ user_id }) => user_id);

    it('contains users who share a room with the searcher, and those in public rooms', async () => {
      const [searcher, shared, open, hidden] = [
        await world.user('searcher'),
        await world.user('findable'),
        await world.user('findable'),
        await world.user('findable'),
      ];
      await room({ preset: 'private_chat' }, hidden);
      expect(await found(searcher, 'findable')).toEqual([]);

      const roomId = await room({ preset: 'private_chat', invite: [searcher.userId] }, shared);
      expect(await found(searcher, 'findable')).toEqual([]);
      await searcher.post(`${inRoom(roomId)}/join`);
      expect(await found(searcher, 'findable')).toEqual([shared.userId]);

      await joinedRoom(open);
      expect((await found(searcher, 'findable')).sort()).toEqual([shared.userId, open.userId].sort());
      expect(await found(searcher, hidden.userId)).toEqual([]);

      await searcher.post(`${inRoom(roomId)}/leave`);
      expect(await found(searcher, 'findable')).toEqual([open.userId]);
    });
  });

  it('4.3 A state event that repeats the state is refused without the power to send it', async () => {
    const user = await world.user('user');
    const roomId = await joinedRoom(user);
    const levels = `${inRoom(roomId)}/state/m.room.power_levels/`;
    const before = (await creator.get<{ users: object }>(levels)).body;
    const setLevel = (level: number) =>
      creator.put(levels, { body: { ...before, users: { ...before.users, [user.userId]: level } } });
    const topic = () => user.put(`${inRoom(roomId)}/state/m.room.topic`, { body: { topic: 'Mine' } });
    await setLevel(50);
    const { body } = await topic();
    expect(await topic()).toMatchObject({ status: 200, body });
    await setLevel(0);
    expect((await topic()).status).toBe(403);
  });
});
