import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';
const PUBLIC_ROOMS = `${V3}/publicRooms`;

const forbidden = refusal(403, 'M_FORBIDDEN');
const notFound = refusal(404, 'M_NOT_FOUND');
const invalid = refusal(400, 'M_INVALID_PARAM');
const done = { status: 200, text: '{}' };

interface Listed {
  readonly room_id: string;
  readonly [key: string]: unknown;
}

interface Directory {
  readonly chunk: readonly Listed[];
  readonly next_batch?: string;
  readonly prev_batch?: string;
  readonly total_room_count_estimate: number;
}

chapter('7.11 Aliases and room directory', (world) => {
  let alice: Actor;
  let bob: Actor;
  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
  });

  const room = async (body: Record<string, unknown> = { preset: 'public_chat' }, by = alice) =>
    (await by.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const act = (user: Actor, roomId: string, action: string, body?: unknown) =>
    user.post(path`/_proto/client/v3/rooms/${roomId}/${action}`, { body });
  const join = (user: Actor, roomId: string) => act(user, roomId, 'join');
  const statePath = (roomId: string, type: string, stateKey = '') =>
    path`/_proto/client/v3/rooms/${roomId}/state/${type}/${stateKey}`;
  const state = async (roomId: string, type: string, stateKey = '', by = alice) =>
    (await by.get(statePath(roomId, type, stateKey))).body;
  const putState = (roomId: string, type: string, body: unknown, by = alice) =>
    by.put(statePath(roomId, type), { body });
  const newAlias = () => `#${world.freshName('alias')}:test`;
  const aliasPath = (alias: string) => path`/_proto/client/v3/directory/room/${alias}`;
  const putAlias = (user: Actor, alias: string, body: unknown) => user.put(aliasPath(alias), { body });
  const getAlias = (alias: string) => world.http('GET', aliasPath(alias));
  const aliases = (user: Actor, roomId: string) => user.get(path`/_proto/client/v3/rooms/${roomId}/aliases`);
  const listing = (roomId: string) => path`/_proto/client/v3/directory/list/room/${roomId}`;

  describe('an alias', () => {
    it('refers to a room until it is deleted', async () => {
      const roomId = await room();
      const alias = newAlias();
      expect(await putAlias(alice, alias, { room_id: roomId })).toMatchObject(done);
      expect((await getAlias(alias)).body).toEqual({ room_id: roomId, servers: ['test'] });
      expect((await aliases(alice, roomId)).body).toEqual({ aliases: [alias] });
      expect((await bob.post(path`/_proto/client/v3/join/${alias}`)).body).toEqual({ room_id: roomId });
      expect(await alice.delete(aliasPath(alias))).toMatchObject(done);
      expect(await getAlias(alias)).toMatchObject(notFound);
      expect(await alice.delete(aliasPath(alias))).toMatchObject(notFound);
    });

    it('refers to one room only, also after concurrent requests', async () => {
      const alias = newAlias();
      const rooms = await Promise.all([room(), room(), room()]);
      const replies = await Promise.all(rooms.map((room_id) => putAlias(alice, alias, { room_id })));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      const room_id = rooms[replies.findIndex(({ status }) => status === 200)];
      expect((await getAlias(alias)).body).toMatchObject({ room_id });
      expect(await putAlias(alice, alias, { room_id })).toMatchObject(refusal(409, 'M_UNKNOWN'));
    });

    it.each([
      ['no alias', 'alias', 'M_INVALID_PARAM'],
      ['white space', '#a b:test', 'M_INVALID_PARAM'],
      ['no localpart', '#:test', 'M_INVALID_PARAM'],
      ['more than 255 bytes', `#${'ä'.repeat(125)}:test`, 'M_INVALID_PARAM'],
      ['another server', '#a:elsewhere', 'M_UNKNOWN'],
    ])('an alias is refused with %s', async (_, alias, errcode) => {
      expect(await putAlias(alice, alias, { room_id: await room() })).toMatchObject(refusal(400, errcode));
    });

    it('can be created by members and administrators, for existing rooms', async () => {
      const roomId = await room();
      expect(await putAlias(bob, newAlias(), { room_id: roomId })).toMatchObject(forbidden);
      expect(await putAlias(world.admin, newAlias(), { room_id: roomId })).toMatchObject(done);
      const unknown = { room_id: '!unknownunknownunk:test' };
      expect(await putAlias(alice, newAlias(), unknown)).toMatchObject(refusal(400, 'M_UNKNOWN'));
      expect(await putAlias(alice, newAlias(), {})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await putAlias(alice, newAlias(), { room_id: 1 })).toMatchObject(refusal(400, 'M_BAD_JSON'));
      expect(await putAlias(alice, 'alias', {})).toMatchObject(invalid);
      expect(await getAlias('alias')).toMatchObject(invalid);
      expect(await getAlias('#unknown:elsewhere')).toMatchObject(notFound);
    });

    it('can be deleted by its creator and by users with the power, and is then removed from the canonical alias', async () => {
      const roomId = await room();
      await join(bob, roomId);
      const [main, other, bobs] = [newAlias(), newAlias(), newAlias()];
      for (const alias of [main, other]) await putAlias(alice, alias, { room_id: roomId });
      await putAlias(bob, bobs, { room_id: roomId });
      await putState(roomId, 'm.room.canonical_alias', { alias: main, alt_aliases: [other, bobs], note: 1 });
      expect(await bob.delete(aliasPath(main))).toMatchObject(forbidden);
      expect(await bob.delete(aliasPath(bobs))).toMatchObject(done);
      expect(await state(roomId, 'm.room.canonical_alias')).toMatchObject({ alt_aliases: [other, bobs] });
      expect(await alice.delete(aliasPath(main))).toMatchObject(done);
      expect(await state(roomId, 'm.room.canonical_alias')).toEqual({ alt_aliases: [other, bobs], note: 1 });
      expect(await world.admin.delete(aliasPath(other))).toMatchObject(done);
      expect((await aliases(alice, roomId)).body).toEqual({ aliases: [] });
    });

    it('can be deleted by a shadow-banned user, which does not change the canonical alias', async () => {
      const user = await world.user('shadow');
      const roomId = await room({ preset: 'public_chat', room_alias_name: world.freshName('alias') }, user);
      const { alias = '' } = (await state(roomId, 'm.room.canonical_alias', '', user)) as { alias?: string };
      await world.admin.post(path`/_service/admin/v1/users/${user.userId}/shadow_ban`);
      expect(await user.delete(aliasPath(alias))).toMatchObject(done);
      expect(await getAlias(alias)).toMatchObject(notFound);
      expect(await state(roomId, 'm.room.canonical_alias', '', user)).toEqual({ alias });
    });

    it('lists are visible to members and administrators, and to all users if the history is world-readable', async () => {
      const roomId = await room();
      expect(await aliases(bob, roomId)).toMatchObject(forbidden);
      expect(await aliases(alice, '!unknownunknownunk:test')).toMatchObject(forbidden);
      expect(await aliases(world.admin, roomId)).toMatchObject({ status: 200, body: { aliases: [] } });
      await putState(roomId, 'm.room.history_visibility', { history_visibility: 'world_readable' });
      expect(await aliases(bob, roomId)).toMatchObject({ status: 200 });
    });
  });

  it('users with the power change whether a room is published', async () => {
    const roomId = await room();
    await join(bob, roomId);
    const visibility = async () => (await world.http('GET', listing(roomId))).body;
    expect(await visibility()).toEqual({ visibility: 'private' });
    expect(await alice.put(listing(roomId))).toMatchObject(done);
    expect(await visibility()).toEqual({ visibility: 'public' });
    expect(await bob.put(listing(roomId), { body: { visibility: 'private' } })).toMatchObject(forbidden);
    expect((await alice.put(listing(roomId), { body: { visibility: 'x' } })).status).toBe(400);
    expect(await visibility()).toEqual({ visibility: 'public' });
    expect(await world.admin.put(listing(roomId), { body: { visibility: 'private' } })).toMatchObject(done);
    expect(await visibility()).toEqual({ visibility: 'private' });
    const unknown = listing('!unknownunknownunk:test');
    expect(await world.http('GET', unknown)).toMatchObject(notFound);
    expect(await alice.put(unknown)).toMatchObject(notFound);
  });

  describe('public rooms', () => {
    /** Part of the names of all rooms of these cases, and of no other room. */
    const MARK = 'ÄpfelMark';
    let big: string;
    let ties: string[];
    const listed = (name: string, more: Record<string, unknown> = {}) =>
      room({ preset: 'public_chat', visibility: 'public', name, ...more });
    const search = (filter: unknown, more: Record<string, unknown> = {}) =>
      alice.post<Directory>(PUBLIC_ROOMS, { body: { filter, ...more } });
    const found = async (filter: unknown) => (await search(filter)).body.chunk.map(({ room_id }) => room_id);
    beforeAll(async () => {
      ties = [await listed(`${MARK} 1`), await listed('2', { topic: `of ${MARK.toUpperCase()}` })].sort();
      big = await listed(`big ${MARK}`, { creation_content: { type: 'm.space' } });
      await join(bob, big);
      // None of these can be found, each for a different reason.
      await room({ preset: 'public_chat', name: MARK });
      await listed(MARK, { preset: 'private_chat' });
    });

    it('public rooms are ordered by size, and have the documented fields', async () => {
      const { body } = await search({ generic_search_term: 'äpfelmark' });
      expect(body.chunk.map(({ room_id }) => room_id)).toEqual([big, ...ties]);
      expect(body.chunk[0]).toEqual({
        room_id: big,
        name: `big ${MARK}`,
        num_joined_members: 2,
        world_readable: false,
        guest_can_join: false,
        join_rule: 'public',
        room_type: 'm.space',
      });
      expect(body).not.toHaveProperty('next_batch');
      expect(body).not.toHaveProperty('prev_batch');
      expect(body.total_room_count_estimate).toBeGreaterThanOrEqual(3);
    });

    it('can be filtered by room type', async () => {
      const term = { generic_search_term: MARK };
      expect(await found({ ...term, room_types: ['m.space'] })).toEqual([big]);
      expect(await found({ ...term, room_types: [null] })).toEqual(ties);
      expect(await found({ ...term, room_types: [null, 'm.space'] })).toEqual([big, ...ties]);
      expect(await found({ ...term, room_types: [] })).toEqual([]);
      expect(await found({ generic_search_term: `${MARK} unheard of` })).toEqual([]);
    });

    it('public rooms are found by alias, and may have private joins with public history', async () => {
      const name = world.freshName('Found');
      const readable = {
        type: 'm.room.history_visibility',
        content: { history_visibility: 'world_readable' },
      };
      const roomId = await listed('named', {
        preset: 'private_chat',
        room_alias_name: name,
        initial_state: [readable],
      });
      const { chunk } = (await search({ generic_search_term: name.toLowerCase() })).body;
      expect(chunk).toMatchObject([
        { room_id: roomId, canonical_alias: `#${name}:test`, world_readable: true, guest_can_join: true },
      ]);
    });

    it('can be paged forward and back', async () => {
      const filter = { generic_search_term: MARK };
      const first = (await search(filter, { limit: 2 })).body;
      const second = (await search(filter, { limit: 2, since: first.next_batch })).body;
      expect([...first.chunk, ...second.chunk].map(({ room_id }) => room_id)).toEqual([big, ...ties]);
      expect(second).not.toHaveProperty('next_batch');
      const back = (await search(filter, { limit: 1, since: second.prev_batch })).body;
      expect(back.chunk).toMatchObject([{ room_id: ties[0] }]);
      const start = (await search(filter, { limit: 5, since: back.prev_batch })).body;
      expect(start.chunk).toMatchObject([{ room_id: big }]);
      expect(start).not.toHaveProperty('prev_batch');
    });

    it('public rooms are served without a token, and on the legacy path', async () => {
      const { status, body } = await world.http<Directory>(
        'GET',
        '/_matrix/client/r0/publicRooms?limit=1&server=test',
      );
      expect(status).toBe(200);
      expect(body.chunk).toHaveLength(1);
      const all = await world.http<Directory>('GET', `${PUBLIC_ROOMS}?limit=0`);
      expect(all.body.chunk.map(({ room_id }) => room_id)).toEqual(expect.arrayContaining([big, ...ties]));
    });

    it.each([
      ['limit=x', 400],
      ['limit=-1', 400],
      ['since=x', 400],
      ['server=elsewhere', 404],
    ])('public rooms are refused for %s', async (query, status) => {
      expect((await world.http('GET', `${PUBLIC_ROOMS}?${query}`)).status).toBe(status);
    });

    it.each([
      [{ filter: 1 }],
      [{ filter: { generic_search_term: 1 } }],
      [{ filter: { room_types: 'm.space' } }],
      [{ filter: { room_types: [1] } }],
      [{ limit: 'x' }],
      [{ since: 1 }],
    ])('public rooms are refused for %j', async (body) => {
      expect((await alice.post(PUBLIC_ROOMS, { body })).status).toBe(400);
    });
  });

  describe('the summary of a room', () => {
    const summary = (user: Actor, idOrAlias: string) =>
      user.get<Listed>(path`/_proto/client/v1/room_summary/${idOrAlias}`);
    const publicSummary = (idOrAlias: string) =>
      world.http('GET', path`/_proto/client/v1/room_summary/${idOrAlias}`);

    it('the summary of a room is available by id or alias to those who may learn of the room', async () => {
      const alias = world.freshName('alias');
      const open = await room({ preset: 'public_chat', room_alias_name: alias, name: 'Open' });
      const expected = {
        room_id: open,
        name: 'Open',
        canonical_alias: `#${alias}:test`,
        num_joined_members: 1,
        world_readable: false,
        guest_can_join: false,
        join_rule: 'public',
        room_version: '10',
      };
      expect((await summary(alice, open)).body).toEqual({ ...expected, membership: 'join' });
      expect((await summary(bob, `#${alias}:test`)).body).toEqual({ ...expected, membership: 'leave' });
      // Without a token, too; it then has no membership.
      expect((await publicSummary(open)).body).toEqual(expected);
      await act(alice, open, 'ban', { user_id: bob.userId });
      expect(await summary(bob, open)).toMatchObject(notFound);
    });

    it('the summary of a room is hidden from others', async () => {
      const closed = await room({});
      expect(await summary(bob, closed)).toMatchObject(notFound);
      expect(await publicSummary(closed)).toMatchObject(notFound);
      await act(alice, closed, 'invite', { user_id: bob.userId });
      expect((await summary(bob, closed)).body).toMatchObject({ room_id: closed, membership: 'invite' });
      expect(await summary(bob, '!unknownunknownunk:test')).toMatchObject(notFound);
      expect(await summary(bob, '#unknown:test')).toMatchObject(notFound);
      expect(await summary(bob, 'x')).toMatchObject(invalid);
    });
  });

  describe('the rooms of a space', () => {
    interface Hierarchy {
      readonly rooms: readonly (Listed & {
        readonly allowed_room_ids?: readonly string[];
        readonly children_state: readonly { readonly state_key: string }[];
      })[];
      readonly next_batch?: string;
    }
    const hierarchy = (user: Actor, roomId: string, query = '') =>
      user.get<Hierarchy>(`${path`/_proto/client/v1/rooms/${roomId}/hierarchy`}?${query}`);
    const ids = ({ rooms }: Hierarchy) => rooms.map(({ room_id }) => room_id);
    const space = (preset: string) => room({ preset, creation_content: { type: 'm.space' } });
    const child = (parent: string, of: string, more: Record<string, unknown> = {}) =>
      alice.put(statePath(parent, 'm.space.child', of), { body: { via: ['test'], ...more } });
    const restricted = (roomId: string) => ({
      type: 'm.room.join_rules',
      content: { join_rule: 'restricted', allow: [{ type: 'm.room_membership', room_id: roomId }] },
    });

    it('the rooms of a space are those of which the caller may learn', async () => {
      const root = await space('public_chat');
      const inner = await space('public_chat');
      const open = await room();
      const closed = await room({});
      const ofMembers = await room({ initial_state: [restricted(root)] });
      await child(root, inner, { order: 'a' });
      await child(root, closed, { order: 'b' });
      await child(root, ofMembers, { order: 'c', suggested: true });
      await child(inner, open);
      const all = [root, inner, open, closed, ofMembers];
      const none = [undefined, undefined, undefined, undefined];
      const { status, body } = await hierarchy(alice, root);
      expect(status).toBe(200);
      expect(ids(body)).toEqual(all);
      expect(body.rooms[0]).toMatchObject({
        room_type: 'm.space',
        num_joined_members: 1,
        join_rule: 'public',
      });
      expect(body.rooms[0]?.children_state.map(({ state_key }) => state_key)).toEqual([
        inner,
        closed,
        ofMembers,
      ]);
      expect(body.rooms[2]?.children_state).toEqual([]);
      expect(body.rooms.map(({ allowed_room_ids }) => allowed_room_ids)).toEqual([...none, [root]]);

      expect(ids((await hierarchy(bob, root)).body)).toEqual([root, inner, open]);
      await join(bob, root);
      expect(ids((await hierarchy(bob, root)).body)).toEqual([root, inner, open, ofMembers]);
      expect(ids((await hierarchy(bob, root, 'suggested_only=true')).body)).toEqual([root, ofMembers]);
      expect(ids((await hierarchy(bob, root, 'max_depth=1')).body)).toEqual([root, inner, ofMembers]);
      const first = (await hierarchy(bob, root, 'limit=3')).body;
      expect(ids(first)).toEqual([root, inner, open]);
      const rest = (await hierarchy(bob, root, `limit=3&from=${first.next_batch}`)).body;
      expect(ids(rest)).toEqual([ofMembers]);
      expect(rest).not.toHaveProperty('next_batch');
      expect(await hierarchy(bob, root, `max_depth=1&from=${first.next_batch}`)).toMatchObject(invalid);
      expect(await hierarchy(bob, root, 'limit=0')).toMatchObject(invalid);
    });

    it('the rooms of a space are hidden with a space of which the caller may not learn', async () => {
      expect(await hierarchy(bob, await space('private_chat'))).toMatchObject(forbidden);
      expect(await hierarchy(bob, '!unknownunknownunk:test')).toMatchObject(forbidden);
    });
  });

  describe('replacing a room', () => {
    const upgrade = (user: Actor, roomId: string, body: unknown) =>
      user.post<{ replacement_room: string }>(path`/_proto/client/v3/rooms/${roomId}/upgrade`, { body });

    it('creates one of another version and transfers the supported state', async () => {
      const name = world.freshName('alias');
      const roomId = await room({
        preset: 'public_chat',
        visibility: 'public',
        room_version: '9',
        room_alias_name: name,
        name: 'Name',
        topic: 'Topic',
        creation_content: { type: 'm.space' },
        power_level_content_override: { users: { [alice.userId]: 100, [bob.userId]: 50 }, state_default: 60 },
        initial_state: [
          { type: 'm.space.child', state_key: '!child:test', content: { via: ['test'] } },
          { type: 'm.space.child', state_key: '!gone:test', content: {} },
        ],
      });
      await act(alice, roomId, 'ban', { user_id: '@banned:elsewhere', reason: 'so' });
      const { status, body } = await upgrade(alice, roomId, { new_version: '11' });
      expect(status).toBe(200);
      const replacement = body.replacement_room;
      expect(await state(replacement, 'm.room.create')).toMatchObject({
        room_version: '11',
        type: 'm.space',
        predecessor: { room_id: roomId, event_id: expect.stringMatching(/^\$/) },
      });
      expect(await state(replacement, 'm.room.name')).toEqual({ name: 'Name' });
      expect(await state(replacement, 'm.room.topic')).toMatchObject({ topic: 'Topic' });
      expect(await state(replacement, 'm.room.join_rules')).toEqual({ join_rule: 'public' });
      expect(await state(replacement, 'm.room.power_levels')).toMatchObject({
        users: { [alice.userId]: 100, [bob.userId]: 50 },
        state_default: 60,
        events_default: 0,
      });
      expect(await state(replacement, 'm.room.member', '@banned:elsewhere')).toMatchObject({
        membership: 'ban',
        reason: 'so',
      });
      expect(await state(replacement, 'm.space.child', '!child:test')).toEqual({ via: ['test'] });
      expect(await state(replacement, 'm.space.child', '!gone:test')).toMatchObject({
        errcode: 'M_NOT_FOUND',
      });
      expect(await state(replacement, 'm.room.canonical_alias')).toEqual({ alias: `#${name}:test` });

      expect(await state(roomId, 'm.room.tombstone')).toMatchObject({ replacement_room: replacement });
      expect(await state(roomId, 'm.room.power_levels')).toMatchObject({ events_default: 50, invite: 50 });
      expect(await state(roomId, 'm.room.canonical_alias')).toEqual({});
      expect((await getAlias(`#${name}:test`)).body).toMatchObject({ room_id: replacement });
      expect((await world.http('GET', listing(roomId))).body).toEqual({ visibility: 'private' });
      expect((await world.http('GET', listing(replacement))).body).toEqual({ visibility: 'public' });
    });

    it('supports versions with creators above the power levels', async () => {
      const old = await room({ preset: 'public_chat', room_version: '10' });
      const request = { new_version: '12', additional_creators: [bob.userId] };
      const newest = (await upgrade(alice, old, request)).body.replacement_room;
      expect(newest).toMatch(/^![\w-]{43}$/);
      expect(await state(newest, 'm.room.create')).toMatchObject({ additional_creators: [bob.userId] });
      expect(await state(newest, 'm.room.create')).toHaveProperty('predecessor', { room_id: old });
      expect(await state(newest, 'm.room.power_levels')).toMatchObject({ users: {} });
      const listed = { body: { users: { [bob.userId]: 50 } } };
      const levels = `${path`/_proto/client/v3/rooms/${newest}/state`}/m.room.power_levels/`;
      expect(await alice.put(levels, listed)).toMatchObject(refusal(400, 'M_BAD_JSON'));
      const again = (await upgrade(alice, newest, { new_version: '6' })).body.replacement_room;
      expect(await state(again, 'm.room.power_levels')).toMatchObject({
        users: { [alice.userId]: 100, [bob.userId]: 100 },
      });
    });

    it('has no effect for shadow-banned users', async () => {
      const user = await world.user('shadow');
      const roomId = await room({ preset: 'public_chat' }, user);
      await world.admin.post(path`/_service/admin/v1/users/${user.userId}/shadow_ban`);
      const { status, body } = await upgrade(user, roomId, { new_version: '11' });
      expect(status).toBe(200);
      expect(body.replacement_room).toMatch(/^![A-Za-z]{18}:test$/);
      expect(
        await user.get(path`/_proto/client/v3/directory/list/room/${body.replacement_room}`),
      ).toMatchObject(notFound);
      expect(await state(roomId, 'm.room.tombstone', '', user)).toMatchObject({ errcode: 'M_NOT_FOUND' });
    });

    it('replacing a room is refused without the power, and for an unknown version', async () => {
      const roomId = await room();
      expect(await upgrade(bob, roomId, { new_version: '11' })).toMatchObject(forbidden);
      await join(bob, roomId);
      expect(await upgrade(bob, roomId, { new_version: '11' })).toMatchObject(forbidden);
      expect(await upgrade(alice, '!unknownunknownunk:test', { new_version: '11' })).toMatchObject(forbidden);
      const unsupported = refusal(400, 'M_UNSUPPORTED_ROOM_VERSION');
      expect(await upgrade(alice, roomId, { new_version: 'x' })).toMatchObject(unsupported);
      expect(await upgrade(alice, roomId, {})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await upgrade(alice, roomId, { new_version: 11 })).toMatchObject(refusal(400, 'M_BAD_JSON'));
      const additional = { new_version: '12', additional_creators: ['nobody'] };
      expect(await upgrade(alice, roomId, additional)).toMatchObject(refusal(400, 'M_BAD_JSON'));
      expect(await state(roomId, 'm.room.tombstone')).toMatchObject({ errcode: 'M_NOT_FOUND' });
    });
  });
});
