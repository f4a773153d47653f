import { type Actor, path, type World } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const CREATE = '/_proto/client/v3/createRoom';

interface ClientEvent {
  readonly type: string;
  readonly state_key: string;
  readonly sender: string;
  readonly event_id: string;
  readonly room_id: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The state of a room by type, for events with an empty state key, and of members by user. */
async function stateOf(user: Actor, roomId: string) {
  const { status, body } = await user.get<ClientEvent[]>(path`/_proto/client/v3/rooms/${roomId}/state`);
  expect(status).toBe(200);
  return new Map(body.map((event) => [`${event.type} ${event.state_key}`.trim(), event]));
}

async function created(world: World, user: Actor, body: Record<string, unknown>) {
  const reply = await user.post<{ room_id: string }>(CREATE, { body });
  expect(reply).toMatchObject({ status: 200, body: { room_id: expect.stringMatching(/^!/) } });
  expect(Object.keys(reply.body)).toEqual(['room_id']);
  await world.whenIdle();
  return reply.body.room_id;
}

/** Creates a user on first use: a login costs more than most cases. */
function once(make: () => Promise<Actor>): () => Promise<Actor> {
  let made: Promise<Actor> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

chapter('7.8 Creating rooms', (world) => {
  const invitee = once(() => world.user('invitee'));
  /** A user whose requests to create a room are all refused. */
  const roomless = once(() => world.user('roomless'));

  it('a public room has exactly its five events', async () => {
    const user = await world.user('alice', { displayname: 'Alice A.' });
    const roomId = await created(world, user, { visibility: 'public' });
    expect(roomId).toMatch(/^![A-Za-z]{18}:test$/);
    const state = await stateOf(user, roomId);
    expect([...state.keys()].sort()).toEqual(
      [
        'm.room.create',
        `m.room.member ${user.userId}`,
        'm.room.power_levels',
        'm.room.join_rules',
        'm.room.history_visibility',
      ].sort(),
    );
    expect(state.get('m.room.create')?.content).toEqual({ room_version: '10', creator: user.userId });
    expect(state.get('m.room.join_rules')?.content).toEqual({ join_rule: 'public' });
    expect(state.get('m.room.history_visibility')?.content).toEqual({ history_visibility: 'shared' });
    expect(state.get(`m.room.member ${user.userId}`)?.content).toEqual({
      membership: 'join',
      displayname: 'Alice A.',
    });
    expect(state.get('m.room.power_levels')?.content).toMatchObject({
      users: { [user.userId]: 100 },
      invite: 50,
      events: { 'm.room.tombstone': 100 },
    });
    for (const event of state.values()) {
      expect(event).toMatchObject({ room_id: roomId, sender: user.userId });
    }
  });

  it('private is the default', async () => {
    const user = await world.user();
    const roomId = await created(world, user, {});
    const state = await stateOf(user, roomId);
    expect(state.get('m.room.join_rules')?.content).toEqual({ join_rule: 'invite' });
    expect(state.get('m.room.guest_access')?.content).toEqual({ guest_access: 'can_join' });
    expect(state.get('m.room.power_levels')?.content).toMatchObject({ invite: 0 });
  });

  it.each(Array.from({ length: 12 }, (_, index) => String(index + 1)))('version %s', async (version) => {
    const user = world.admin;
    const roomId = await created(world, user, { room_version: version, name: 'Name', preset: 'public_chat' });
    expect(roomId).toMatch(version === '12' ? /^![\w-]{43}$/ : /^![A-Za-z]{18}:test$/);
    const state = await stateOf(user, roomId);
    expect(state.get('m.room.create')?.content).toMatchObject({ room_version: version });
    expect(state.get('m.room.name')?.content).toEqual({ name: 'Name' });
    const other = await invitee();
    expect(await other.post(path`/_proto/client/v3/rooms/${roomId}/join`)).toMatchObject({
      status: 200,
      body: { room_id: roomId },
    });
    const send = path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/1`;
    const sent = await other.put(send, { body: { msgtype: 'm.text', body: 'x' } });
    expect(sent).toMatchObject({ status: 200, body: { event_id: expect.stringMatching(/^\$/) } });
  });

  it('all options can be combined', async () => {
    const [user, guest] = [await world.user('alice'), await world.user('guest', { displayname: 'Bob' })];
    const name = world.freshName('alias');
    const roomId = await created(world, user, {
      room_alias_name: name,
      name: 'The name',
      topic: 'The topic',
      invite: [guest.userId],
      is_direct: true,
      creation_content: { type: 'm.space', 'm.federate': false, creator: '@other:test', x: { __proto__: 1 } },
      initial_state: [
        { type: 'm.room.join_rules', content: { join_rule: 'knock' } },
        { type: 'org.example.state', state_key: 'a key', content: { a: 1 } },
        { type: 'm.room.name', content: { name: 'gives way' } },
      ],
      power_level_content_override: { invite: 7, users: { [user.userId]: 100, [guest.userId]: 3 } },
    });
    const state = await stateOf(user, roomId);
    expect(state.get('m.room.create')?.content).toMatchObject({
      type: 'm.space',
      'm.federate': false,
      creator: user.userId,
    });
    expect(state.get('m.room.canonical_alias')?.content).toEqual({ alias: `#${name}:test` });
    expect(state.get('m.room.join_rules')?.content).toEqual({ join_rule: 'knock' });
    expect(state.get('org.example.state a key')?.content).toEqual({ a: 1 });
    expect(state.get('m.room.name')?.content).toEqual({ name: 'The name' });
    expect(state.get('m.room.topic')?.content).toMatchObject({ topic: 'The topic' });
    expect(state.get('m.room.power_levels')?.content).toMatchObject({
      invite: 7,
      users: { [guest.userId]: 3 },
    });
    expect(state.get(`m.room.member ${guest.userId}`)?.content).toEqual({
      membership: 'invite',
      displayname: 'Bob',
      is_direct: true,
    });
    const joined = await guest.post(path`/_proto/client/r0/join/${`#${name}:test`}`);
    expect(joined).toMatchObject({ status: 200, body: { room_id: roomId } });
  });

  it("the trusted preset gives invited users the creator's power", async () => {
    const [user, friend] = [await world.user(), await world.user()];
    const body = { preset: 'trusted_private_chat', invite: [friend.userId] };
    const state = await stateOf(user, await created(world, user, body));
    expect(state.get('m.room.power_levels')?.content).toMatchObject({
      users: { [user.userId]: 100, [friend.userId]: 100 },
    });
  });

  it('a room can have more events than one commit accepts', async () => {
    const user = await world.user();
    const initial_state = Array.from({ length: 150 }, (_, n) => ({
      type: 'org.example.state',
      state_key: String(n),
      content: { n },
    }));
    const roomId = await created(world, user, { initial_state, name: 'Large' });
    const state = await stateOf(user, roomId);
    expect(state.size).toBe(6 + 150 + 1);
    expect(state.get('m.room.name')?.content).toEqual({ name: 'Large' });
  });

  describe('refuses', () => {
    it.each([
      ['no body', '', 'M_NOT_JSON'],
      ['no object', '[]', 'M_BAD_JSON'],
      ['an unknown preset', '{"preset":"x"}', 'M_BAD_JSON'],
      ['an unknown visibility', '{"visibility":"x"}', 'M_BAD_JSON'],
      ['a version that is not a string', '{"room_version":1}', 'M_BAD_JSON'],
      ['an unknown version', '{"room_version":"99"}', 'M_UNSUPPORTED_ROOM_VERSION'],
      ['an alias with white space', '{"room_alias_name":"a b"}', 'M_INVALID_PARAM'],
      ['an alias with a colon', '{"room_alias_name":"a:b"}', 'M_INVALID_PARAM'],
      ['too long an alias', JSON.stringify({ room_alias_name: 'a'.repeat(255) }), 'M_INVALID_PARAM'],
      ['a malformed invitee', '{"invite":["nobody"]}', 'M_INVALID_PARAM'],
      ['invitees that are not a list', '{"invite":"@a:test"}', 'M_BAD_JSON'],
      ['an invitation by address without a key', '{"invite_3pid":[{"medium":"email"}]}', 'M_MISSING_PARAM'],
      ['creation content that is not an object', '{"creation_content":[]}', 'M_BAD_JSON'],
      ['initial state that is not a list', '{"initial_state":{}}', 'M_BAD_JSON'],
      ['levels without the creator', '{"power_level_content_override":{"users":{}}}', 'M_UNKNOWN'],
      [
        'a member event as initial state',
        '{"initial_state":[{"type":"m.room.member","state_key":"@x:test","content":{"membership":"invite"}}]}',
        'M_BAD_JSON',
      ],
      ['a fraction', '{"initial_state":[{"type":"x","content":{"a":1.5}}]}', 'M_BAD_JSON'],
      ['a level that is not an integer', '{"power_level_content_override":{"ban":"x"}}', 'M_BAD_JSON'],
      [
        'a foreign canonical alias',
        '{"initial_state":[{"type":"m.room.canonical_alias","content":{"alias":"#x:test"}}]}',
        'M_BAD_ALIAS',
      ],
    ])('%s', async (_, rawBody, errcode) => {
      const user = await roomless();
      expect(await user.post(CREATE, { rawBody })).toMatchObject(refusal(400, errcode));
      expect((await user.get('/_proto/client/v3/joined_rooms')).body).toEqual({ joined_rooms: [] });
    });

    it('users of other servers, and users the creator could not invite', async () => {
      const [user, other] = [await world.user(), await world.user()];
      const alias = world.freshName('unborn');
      const foreign = { invite: ['@a:elsewhere'], room_alias_name: alias };
      expect(await user.post(CREATE, { body: foreign })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      const strict = { invite: [other.userId], power_level_content_override: { invite: 101 } };
      expect(await user.post(CREATE, { body: { ...strict, room_alias_name: alias } })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
      expect((await user.get('/_proto/client/v3/joined_rooms')).body).toEqual({ joined_rooms: [] });
      await created(world, user, { room_alias_name: alias });
    });

    it('an alias that is taken', async () => {
      const user = await world.user();
      const room_alias_name = world.freshName('taken');
      await created(world, user, { room_alias_name });
      const again = await user.post(CREATE, { body: { room_alias_name } });
      expect(again).toMatchObject(refusal(400, 'M_ROOM_IN_USE'));
      const both = await Promise.all(
        Array.from({ length: 4 }, () =>
          user.post(CREATE, { body: { room_alias_name: `${room_alias_name}-2` } }),
        ),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    });

    it('an event that is too large', async () => {
      const user = await world.user();
      const body = { topic: 'x'.repeat(65_536) };
      expect(await user.post(CREATE, { body })).toMatchObject(refusal(413, 'M_TOO_LARGE'));
    });
  });
});
