import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin';
const V3 = '/_proto/client/v3';

const badJson = refusal(400, 'M_BAD_JSON');
const unknown = refusal(400, 'M_UNKNOWN');
const notFound = refusal(404, 'M_NOT_FOUND');

interface Outcome {
  readonly kicked_users: readonly string[];
  readonly failed_to_kick_users: readonly string[];
  readonly local_aliases: readonly string[];
  readonly new_room_id: string | null;
}

interface Deletion {
  readonly delete_id: string;
  readonly room_id: string;
  readonly status: string;
  readonly shutdown_room: Outcome;
}

const NOTHING = { kicked_users: [], failed_to_kick_users: [], local_aliases: [], new_room_id: null };

chapter('10.9 Deleting rooms', (world) => {
  let alice: Actor;
  let bob: Actor;

  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
  });

  const create = async (body: Record<string, unknown> = {}) => {
    const reply = await alice.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat', ...body },
    });
    expect(reply.status).toBe(200);
    const { room_id: room } = reply.body;
    await bob.post(`${V3}${path`/rooms/${room}`}/join`, { body: {} });
    return room;
  };
  const at = (version: 1 | 2, room: string) => `${ADMIN}/v${version}${path`/rooms/${room}`}`;
  const remove = <Body = Outcome>(version: 1 | 2, room: string, body: unknown = {}) =>
    world.admin.delete<Body>(at(version, room), { body });
  const startDeletion = async (room: string, body: unknown = {}) => {
    const reply = await remove<{ delete_id: string }>(2, room, body);
    expect(reply).toMatchObject({ status: 200, body: { delete_id: expect.any(String) } });
    await world.whenIdle();
    return reply.body.delete_id;
  };
  const statusOf = (id: string) =>
    world.admin.get<Deletion>(`${ADMIN}/v2/rooms${path`/delete_status/${id}`}`);
  const statusesOf = (room: string) =>
    world.admin.get<{ results: Deletion[] }>(`${at(2, room)}/delete_status`);
  const joinedRooms = async (user: Actor) =>
    (await user.get<{ joined_rooms: string[] }>(`${V3}/joined_rooms`)).body.joined_rooms;
  const ended = async (id: string) => {
    await expect.poll(async () => (await statusOf(id)).body.status).toMatch(/complete|failed/);
    return (await statusOf(id)).body;
  };

  describe.each([1, 2] as const)('version %i', (version) => {
    it.each(['block', 'purge', 'force_purge'])('requires a boolean for %s', async (key) => {
      for (const value of [null, 1, 'true']) {
        expect(await remove(version, 'nonsense', { [key]: value })).toMatchObject(badJson);
      }
    });

    it.each(['new_room_user_id', 'room_name', 'message'])('requires a string for %s', async (key) => {
      expect(await remove(version, 'nonsense', { [key]: 1 })).toMatchObject(badJson);
    });

    it('requires a body', async () => {
      expect(await world.admin.delete(at(version, '!x:test'))).toMatchObject(refusal(400, 'M_NOT_JSON'));
      expect(await remove(version, '!x:test', [])).toMatchObject(badJson);
    });

    it('refuses an invalid and an unknown room id', async () => {
      expect(await remove(version, 'nonsense', { block: true })).toMatchObject(unknown);
      expect(await remove(version, '!unknown:test')).toMatchObject(unknown);
      expect(await remove(version, '!unknown:test', { new_room_user_id: null })).toMatchObject(unknown);
    });

    it('refuses a creator from another server before it changes anything', async () => {
      const room = await create();
      for (const user of ['@a:elsewhere', 'nonsense']) {
        const body = { new_room_user_id: user, block: true };
        expect(await remove(version, room, body)).toMatchObject(unknown);
      }
      const block = await world.admin.get(`${at(1, room)}/block`);
      expect(block.body).toEqual({ block: false });
      expect(await joinedRooms(alice)).toContain(room);
    });

    it('deleting a room is restricted to administrators', async () => {
      expect(await alice.delete(at(version, '!x:test'), { body: {} })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
    });
  });

  it('removes all data of a room', async () => {
    const localpart = world.freshName('alias');
    const room = await create({ room_alias_name: localpart, name: 'Gone' });
    const alias = `#${localpart}:${world.serverName}`;
    const data = `${V3}${path`/user/${alice.userId}/rooms/${room}`}`;
    await alice.put(`${data}/account_data/m.x`, { body: { a: 1 } });
    await alice.put(`${data}/tags/u.x`, { body: {} });
    const backup = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: {} };
    const { version } = (await alice.post<{ version: string }>(`${V3}/room_keys/version`, { body: backup }))
      .body;
    const key = { first_message_index: 0, forwarded_count: 0, is_verified: false, session_data: {} };
    await alice.put(`${V3}/room_keys/keys`, {
      query: { version },
      body: { rooms: { [room]: { sessions: { s: key } }, '!other:test': { sessions: { s: key } } } },
    });

    const { status, body } = await remove(1, room, {});
    expect(status).toBe(200);
    expect(body).toEqual({ ...NOTHING, kicked_users: expect.any(Array) });
    expect(body.kicked_users.toSorted()).toEqual([alice.userId, bob.userId].sort());
    await world.whenIdle();

    for (const below of ['', '/members', '/state']) {
      expect(await world.admin.get(`${at(1, room)}${below}`)).toMatchObject(notFound);
    }
    const list = await world.admin.get<{ rooms: unknown[] }>(
      `${ADMIN}/v1/rooms?${new URLSearchParams({ search_term: room })}`,
    );
    expect(list.body.rooms).toEqual([]);
    expect(await joinedRooms(alice)).not.toContain(room);
    expect(await alice.get(`${V3}${path`/directory/room/${alias}`}`)).toMatchObject(notFound);
    expect(await alice.get(`${V3}${path`/rooms/${room}`}/messages?dir=b`)).toMatchObject(
      refusal(403, 'M_FORBIDDEN'),
    );
    await expect.poll(async () => (await alice.get(`${data}/account_data/m.x`)).status).toBe(404);
    await expect.poll(async () => (await alice.get(`${data}/tags`)).body).toEqual({ tags: {} });
    await expect
      .poll(async () => (await alice.get(`${V3}/room_keys/version`)).body)
      .toMatchObject({ version, count: 1 });
    expect(await bob.post(`${V3}${path`/rooms/${room}`}/join`, { body: {} })).toMatchObject(
      refusal(404, 'M_UNKNOWN'),
    );
    expect(await remove(1, room, {})).toMatchObject(unknown);
    expect(await statusesOf(room)).toMatchObject(notFound);
  });

  it('removes the room from syncs without an error', async () => {
    const carol = await world.user('carol');
    const made = await carol.post<{ room_id: string }>(`${V3}/createRoom`, { body: {} });
    const { room_id: room } = made.body;
    const sync = (since?: string) =>
      carol.get<{ next_batch: string; rooms?: { join?: Record<string, unknown> } }>(
        `${V3}/sync?${new URLSearchParams({ timeout: '0', ...(since === undefined ? {} : { since }) })}`,
      );
    const before = await sync();
    expect(before.body.rooms?.join).toHaveProperty([room]);
    await remove(1, room);
    for (const since of [before.body.next_batch, undefined]) {
      const { status, body } = await sync(since);
      expect(status).toBe(200);
      expect(body.rooms?.join ?? {}).not.toHaveProperty([room]);
    }
  });

  it('moves all members, and the aliases, into a new room', async () => {
    const localpart = world.freshName('alias');
    const room = await create({ room_alias_name: localpart });
    const alias = `#${localpart}:${world.serverName}`;
    const creator = `@nobody-yet:${world.serverName}`;
    const id = await startDeletion(room, {
      new_room_user_id: creator,
      room_name: 'Elsewhere',
      message: 'Moved',
    });
    const { status, shutdown_room: outcome } = await ended(id);
    expect(status).toBe('complete');
    expect(outcome.kicked_users.toSorted()).toEqual([alice.userId, bob.userId].sort());
    expect(outcome.local_aliases).toEqual([alias]);
    const next = outcome.new_room_id ?? '';
    expect(await joinedRooms(alice)).toContain(next);
    expect((await alice.get(`${V3}${path`/directory/room/${alias}`}`)).body).toMatchObject({ room_id: next });
    const state = await world.admin.get<{ state: Record<string, unknown>[] }>(`${at(1, next)}/state`);
    const contentOf = (type: string) => state.body.state.find((event) => event.type === type)?.content;
    expect(contentOf('m.room.name')).toEqual({ name: 'Elsewhere' });
    expect(contentOf('m.room.join_rules')).toMatchObject({ join_rule: 'public' });
    expect(contentOf('m.room.history_visibility')).toEqual({ history_visibility: 'shared' });
    expect(contentOf('m.room.guest_access')).not.toEqual({ guest_access: 'can_join' });
    expect(contentOf('m.room.power_levels')).toMatchObject({ users_default: -10, users: { [creator]: 100 } });
    expect((await world.admin.get(at(1, next))).body).toMatchObject({ public: false, joined_members: 3 });
    const messages = await alice.get<{ chunk: Record<string, unknown>[] }>(
      `${V3}${path`/rooms/${next}`}/messages?dir=b&limit=1`,
    );
    expect(messages.body.chunk).toMatchObject([
      { sender: creator, type: 'm.room.message', content: { msgtype: 'm.text', body: 'Moved' } },
    ]);
  });

  describe('with invitations and knocks', () => {
    type Rooms = Readonly<Record<'invite' | 'knock' | 'leave', Readonly<Record<string, unknown>>>>;
    const NO_ROOMS: Rooms = { invite: {}, knock: {}, leave: {} };
    const sync = async (user: Actor, since?: string) => {
      const query = { timeout: '0', ...(since === undefined ? {} : { since }) };
      const { body } = await user.get<{ next_batch: string; rooms?: Rooms }>(`${V3}/sync`, { query });
      return { since: body.next_batch, rooms: { ...NO_ROOMS, ...body.rooms } };
    };
    const membershipsOf = async ({ userId }: Actor) => {
      const target = `${ADMIN}${path`/v1/users/${userId}/memberships`}`;
      return (await world.admin.get<{ memberships: Record<string, string> }>(target)).body.memberships;
    };
    /** A room with two members, an invited user and one who knocks. */
    const createWithWaiting = async () => {
      const room = await create();
      const [invited, knocking] = [await world.user('invited'), await world.user('knocking')];
      const below = `${V3}${path`/rooms/${room}`}`;
      await alice.post(`${below}/invite`, { body: { user_id: invited.userId } });
      await alice.put(`${below}/state/m.room.join_rules`, { body: { join_rule: 'knock' } });
      await knocking.post(`${V3}${path`/knock/${room}`}`, { body: {} });
      expect(await membershipsOf(invited)).toEqual({ [room]: 'invite' });
      expect(await membershipsOf(knocking)).toEqual({ [room]: 'knock' });
      return { room, invited, knocking };
    };
    const idsOf = (...users: readonly Actor[]) => users.map(({ userId }) => userId).sort();

    it.each([1, 2] as const)('ends them, and lists their users, in version %i', async (version) => {
      const { room, invited, knocking } = await createWithWaiting();
      const waiting = [
        { user: invited, before: await sync(invited) },
        { user: knocking, before: await sync(knocking) },
      ];
      const body = { purge: false };
      const outcome =
        version === 1
          ? (await remove(1, room, body)).body
          : (await ended(await startDeletion(room, body))).shutdown_room;
      expect(outcome.kicked_users.toSorted()).toEqual(idsOf(alice, bob, invited, knocking));
      expect(outcome.failed_to_kick_users).toEqual([]);
      for (const { user, before } of waiting) {
        expect(await membershipsOf(user)).toEqual({ [room]: 'leave' });
        const { rooms } = await sync(user, before.since);
        expect(rooms).toEqual({ ...NO_ROOMS, leave: { [room]: expect.anything() } });
        expect((await sync(user)).rooms).toEqual(NO_ROOMS);
      }
      expect((await world.admin.get(at(1, room))).body).toMatchObject({ forgotten: true });
    });

    it('purges the room', async () => {
      const { room, invited, knocking } = await createWithWaiting();
      const { since } = await sync(invited);
      expect((await remove(1, room)).body.kicked_users.toSorted()).toEqual(
        idsOf(alice, bob, invited, knocking),
      );
      for (const user of [invited, knocking]) {
        expect(await membershipsOf(user)).toEqual({});
        expect((await sync(user)).rooms).toEqual(NO_ROOMS);
      }
      expect((await sync(invited, since)).rooms).toMatchObject({ invite: {} });
      expect(await world.admin.get(at(1, room))).toMatchObject(notFound);
    });

    it('does not move their users to the new room', async () => {
      const { room, invited, knocking } = await createWithWaiting();
      const { body } = await remove(1, room, { new_room_user_id: alice.userId, block: true });
      expect(body.kicked_users.toSorted()).toEqual(idsOf(alice, bob, invited, knocking));
      const next = at(1, body.new_room_id ?? '');
      const { members } = (await world.admin.get<{ members: string[] }>(`${next}/members`)).body;
      expect(members.toSorted()).toEqual(idsOf(alice, bob));
      for (const user of [invited, knocking]) expect(await membershipsOf(user)).toEqual({});
    });

    it('ends them in a room without members', async () => {
      const { room, invited, knocking } = await createWithWaiting();
      for (const user of [alice, bob]) await user.post(`${V3}${path`/rooms/${room}`}/leave`, { body: {} });
      const { body } = await remove(1, room, { purge: false, new_room_user_id: alice.userId });
      expect(body.kicked_users.toSorted()).toEqual(idsOf(invited, knocking));
      expect((await remove(1, room)).body).toEqual(NOTHING);
    });
  });

  it('uses the given or default name and message of the new room', async () => {
    const room = await create();
    const body = { new_room_user_id: alice.userId, room_name: '', message: null };
    const { new_room_id: next } = (await remove(1, room, body)).body;
    expect((await world.admin.get(at(1, next ?? ''))).body).toMatchObject({
      name: 'Content Violation Notification',
    });
    const { chunk } = (
      await bob.get<{ chunk: { content: unknown }[] }>(
        `${V3}${path`/rooms/${next ?? ''}`}/messages?dir=b&limit=1`,
      )
    ).body;
    expect(chunk[0]?.content).toEqual({
      msgtype: 'm.text',
      body: 'Sharing illegal content on this server is not permitted and rooms in violation will be blocked.',
    });
  });

  it('without a purge keeps the room, and forgets it for all users', async () => {
    const room = await create({ room_alias_name: world.freshName('alias') });
    const { body } = await remove(1, room, { purge: false });
    expect(body).toMatchObject({ local_aliases: [], new_room_id: null });
    expect((await world.admin.get(at(1, room))).body).toMatchObject({ joined_members: 0, forgotten: true });
    expect((await alice.get(`${V3}${path`/rooms/${room}`}/messages?dir=b`)).status).toBe(403);
    // The remaining data can still be purged.
    const id = await startDeletion(room);
    expect((await ended(id)).shutdown_room).toEqual(NOTHING);
    expect(await world.admin.get(at(1, room))).toMatchObject(notFound);
  });

  it('blocks the room, known or not', async () => {
    const room = await create();
    expect((await remove(1, room, { block: true })).status).toBe(200);
    expect((await world.admin.get(`${at(1, room)}/block`)).body).toEqual({
      block: true,
      user_id: world.admin.userId,
    });
    for (const other of ['!first:test', '!second:test']) {
      const body = { block: true, new_room_user_id: alice.userId };
      if (other === '!first:test') expect((await remove(1, other, body)).body).toEqual(NOTHING);
      else {
        const id = await startDeletion(other, body);
        expect(await ended(id)).toEqual({
          delete_id: id,
          room_id: other,
          status: 'complete',
          shutdown_room: NOTHING,
        });
      }
      expect((await world.admin.get(`${at(1, other)}/block`)).body).toMatchObject({ block: true });
    }
  });

  it('joins concurrent requests for one deletion; the second version refuses them', async () => {
    const [first, second] = [await create(), await create()];
    const same = await Promise.all([remove(1, first, {}), remove(1, first, {})]);
    expect(same.map(({ status }) => status)).toEqual([200, 200]);
    expect(same[0]?.body.kicked_users).toHaveLength(2);
    expect(same[1]?.body).toEqual(same[0]?.body);
    const replies = await Promise.all([remove(2, second), remove(2, second), remove(2, second)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    await world.whenIdle();
  });

  it('reports its progress', async () => {
    const room = await create();
    const id = await startDeletion(room, { purge: false });
    await ended(id);
    const again = await startDeletion(room);
    await ended(again);
    const { body } = await statusesOf(room);
    expect(body.results).toMatchObject([
      { delete_id: id, room_id: room, status: 'complete' },
      { delete_id: again, room_id: room, status: 'complete' },
    ]);
    const { status, body: one } = await statusOf(id);
    expect(status).toBe(200);
    expect(one).toEqual(body.results[0]);
    expect(Object.keys(one).sort()).toEqual(['delete_id', 'room_id', 'shutdown_room', 'status']);
    expect(one.shutdown_room.kicked_users.toSorted()).toEqual([alice.userId, bob.userId].sort());
  });

  it('does not find other rooms, ids, and deletions', async () => {
    expect(await statusesOf('nonsense')).toMatchObject(unknown);
    expect(await statusesOf('!unknown:test')).toMatchObject(notFound);
    expect(await statusOf('nonsense')).toMatchObject(notFound);
    expect(await alice.get(`${at(2, '!x:test')}/delete_status`)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
  });
});
