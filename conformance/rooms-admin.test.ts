import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin/v1';
const V3 = '/_proto/client/v3';

const notFound = refusal(404, 'M_NOT_FOUND');
const invalid = refusal(400, 'M_INVALID_PARAM');
const unknown = refusal(400, 'M_UNKNOWN');

interface Event {
  readonly event_id: string;
  readonly type: string;
  readonly sender: string;
  readonly state_key?: string;
  readonly origin_server_ts: number;
  readonly content: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

interface Messages {
  readonly chunk: readonly Event[];
  readonly start: string;
  readonly end?: string;
  readonly state: readonly Event[];
}

interface Context {
  readonly start: string;
  readonly end: string;
  readonly event: Event;
  readonly events_before: readonly Event[];
  readonly events_after: readonly Event[];
  readonly state: readonly Event[];
}

const bodies = (events: readonly Event[]) => events.map(({ content, type }) => content.body ?? type);

chapter('10 Rooms, as administrators see them', (world) => {
  let alice: Actor;
  let bob: Actor;
  /** A room with eight messages that the administrator has not joined. */
  let roomId: string;
  const sent: string[] = [];

  const create = async (by: Actor, body: Record<string, unknown> = {}) => {
    const reply = await by.post<{ room_id: string }>(`${V3}/createRoom`, { body });
    return reply.body.room_id;
  };
  const sendMessage = async (by: Actor, room: string, body: string, type = 'm.room.message') => {
    const to = path`/_proto/client/v3/rooms/${room}/send/${type}/${world.freshName('txn')}`;
    const reply = await by.put<{ event_id: string }>(to, { body: { msgtype: 'm.text', body } });
    expect(reply.status).toBe(200);
    return reply.body.event_id;
  };
  const act = (by: Actor, room: string, action: string, body: Record<string, unknown> = {}) =>
    by.post(`${V3}${path`/rooms/${room}`}/${action}`, { body });
  const below = (room: string, rest: string) => `${ADMIN}${path`/rooms/${room}`}${rest}`;
  const get = <Body = Record<string, unknown>>(at: string) => world.admin.get<Body>(at);
  const messages = async (query: Record<string, string> = {}, room = roomId) => {
    const reply = await get<Messages>(below(room, `/messages?${new URLSearchParams(query)}`));
    expect(reply.status).toBe(200);
    return reply.body;
  };

  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
    roomId = await create(alice, { name: 'The name', topic: 'The topic', preset: 'public_chat' });
    await act(bob, roomId, 'join');
    for (let n = 0; n < 8; n++) sent.push(await sendMessage(n % 2 ? bob : alice, roomId, `message ${n}`));
    await world.whenIdle();
  });

  describe('details', () => {
    it('contain those of the list and more', async () => {
      const list = await get<{ rooms: Record<string, unknown>[] }>(
        `${ADMIN}/rooms?${new URLSearchParams({ search_term: roomId })}`,
      );
      const { status, body } = await get(below(roomId, ''));
      expect(status).toBe(200);
      expect(body).toEqual({
        ...list.body.rooms[0],
        topic: 'The topic',
        avatar: null,
        joined_local_devices: 2,
        forgotten: false,
        tombstoned: false,
        replacement_room: null,
      });
    });

    it('contain device counts, and whether all local users forgot the room', async () => {
      const room = await create(alice, { invite: [bob.userId] });
      await world.login(alice);
      expect((await get(below(room, ''))).body).toMatchObject({ joined_local_devices: 3 - 1 });
      await act(alice, room, 'leave');
      await act(alice, room, 'forget');
      expect((await get(below(room, ''))).body).toMatchObject({ joined_local_devices: 0, forgotten: false });
      await act(bob, room, 'leave');
      await act(bob, room, 'forget');
      await world.whenIdle();
      expect((await get(below(room, ''))).body).toMatchObject({ joined_members: 0, forgotten: true });
    });

    it('contain the replacement room', async () => {
      const room = await create(alice);
      const content = { body: 'moved', replacement_room: '!next:test' };
      await alice.put(`${V3}${path`/rooms/${room}`}/state/m.room.tombstone`, { body: content });
      expect((await get(below(room, ''))).body).toMatchObject({
        tombstoned: true,
        replacement_room: '!next:test',
      });
    });
  });

  it.each(['', '/members', '/state', '/timestamp_to_event?ts=0', '/hierarchy', '/context/$x'])(
    'an unknown room is not found: %s',
    async (rest) => {
      for (const room of ['!unknown:test', 'nonsense', '']) {
        // An empty id followed by nothing is the path of the list.
        if (room !== '' || rest !== '') expect(await get(below(room, rest))).toMatchObject(notFound);
      }
    },
  );

  it('members are the joined users', async () => {
    const room = await create(alice, { preset: 'public_chat', invite: [world.admin.userId] });
    await act(bob, room, 'join');
    expect((await get(below(room, '/members'))).body).toEqual({
      members: [alice.userId, bob.userId].sort(),
      total: 2,
    });
    await act(alice, room, 'leave');
    await act(bob, room, 'leave');
    expect((await get(below(room, '/members'))).body).toEqual({ members: [], total: 0 });
  });

  describe('state', () => {
    it('state of a room is returned in the legacy client format', async () => {
      const { body } = await get<{ state: Event[] }>(below(roomId, '/state'));
      expect(body.state.map(({ type }) => type)).toContain('m.room.power_levels');
      expect(body.state.find(({ type }) => type === 'm.room.name')).toEqual({
        type: 'm.room.name',
        state_key: '',
        content: { name: 'The name' },
        event_id: expect.stringMatching(/^\$/),
        room_id: roomId,
        sender: alice.userId,
        user_id: alice.userId,
        origin_server_ts: expect.any(Number),
        age: expect.any(Number),
        unsigned: expect.objectContaining({ age: expect.any(Number) }),
      });
    });

    it.each([
      ['m.room.member', 2],
      ['m.room.name', 1],
      ['m.unknown', 0],
    ])('state of a room is filtered by the type %s', async (type, count) => {
      const { body } = await get<{ state: Event[] }>(below(roomId, `/state?type=${type}`));
      expect(body.state).toHaveLength(count);
      for (const event of body.state) expect(event.type).toBe(type);
    });
  });

  describe('messages', () => {
    it('messages of a room are paged from the beginning, and back', async () => {
      const forward: Event[] = [];
      let page = await messages({ limit: '5' });
      expect(page.chunk[0]?.type).toBe('m.room.create');
      for (;;) {
        forward.push(...page.chunk);
        if (page.end === undefined) break;
        page = await messages({ from: page.end, limit: '5' });
      }
      expect(bodies(forward.slice(-8))).toEqual(Array.from({ length: 8 }, (_, n) => `message ${n}`));
      expect(forward.map(({ event_id }) => event_id).slice(-8)).toEqual(sent);
      const all = await messages({ dir: 'b', limit: '5000' });
      expect(all.chunk.map(({ event_id }) => event_id)).toEqual(
        forward.map(({ event_id }) => event_id).toReversed(),
      );
      expect(all).toMatchObject({ start: expect.any(String), end: expect.any(String), state: [] });
      const beyond = await messages({ dir: 'b', from: all.end ?? '' });
      expect(beyond).toEqual({ chunk: [], start: all.end, state: [] });
    });

    it.each(['s0_0_0_0_0_0_0_0_0_0', 't1-0_0_0_0_0_0_0_0_0_0', 'END'])(
      'start at the token %s',
      async (from) => {
        const page = await messages({ from });
        expect(page.chunk).toHaveLength(10);
        expect(page).toHaveProperty('end');
        if (from !== 'END') expect(page.start).toBe(from);
      },
    );

    it('end at a token', async () => {
      const { end = '' } = await messages({ limit: '3' });
      const { chunk } = await messages({ to: end });
      expect(chunk).toHaveLength(3);
    });

    it('messages of a room are filtered, possibly to none', async () => {
      const filter = (value: unknown) => encodeURIComponent(JSON.stringify(value));
      const byBob = await messages({ filter: filter({ senders: [bob.userId], types: ['m.room.mess*'] }) });
      expect(bodies(byBob.chunk)).toEqual(['message 1', 'message 3', 'message 5', 'message 7']);
      expect(await messages({ filter: filter({ types: ['100%'] }) })).toMatchObject({
        chunk: [],
        end: expect.any(String),
      });
      const once = JSON.stringify({ not_types: ['m.room.message'], senders: [bob.userId] });
      expect((await messages({ filter: once })).chunk).toMatchObject([{ type: 'm.room.member' }]);
      const lazy = await messages({
        dir: 'b',
        limit: '1',
        filter: filter({ lazy_load_members: true }),
      });
      expect(lazy.state).toMatchObject([{ type: 'm.room.member', state_key: bob.userId }]);
    });

    it.each<Record<string, string>>([
      { raw: '' },
      { filter: JSON.stringify({ event_format: 'federation' }) },
    ])('messages of a room are returned in storage format with %j', async (query) => {
      const [event] = (await messages({ dir: 'b', limit: '1', ...query })).chunk;
      expect(event).toMatchObject({
        content: { body: 'message 7' },
        prev_events: [sent[6]],
        auth_events: expect.any(Array),
        hashes: { sha256: expect.any(String) },
        depth: expect.any(Number),
      });
    });

    it('messages of a room are empty for an unknown room', async () => {
      expect(await messages({}, '!unknown:test')).toEqual({
        chunk: [],
        start: expect.any(String),
        state: [],
      });
    });

    it('messages of a room are empty for limit 0', async () => {
      expect((await messages({ limit: '0' })).chunk).toEqual([]);
    });

    it.each([
      ['dir=x&from=x', 'M_INVALID_PARAM'],
      ['from=x&limit=x', 'M_UNKNOWN'],
      ['to=x&limit=x', 'M_UNKNOWN'],
      ['limit=x&filter=x', 'M_INVALID_PARAM'],
      ['limit=-1&filter=x', 'M_UNKNOWN'],
      ['filter=x', 'M_NOT_JSON'],
      ['filter=[]', 'M_NOT_JSON'],
      ['filter=%25', 'M_NOT_JSON'],
      ['filter={"types":1}', 'M_BAD_JSON'],
    ])('messages of a room are refused for %s', async (query, errcode) => {
      expect(await get(below(roomId, `/messages?${query}`))).toMatchObject(refusal(400, errcode));
    });
  });

  describe('the event nearest to a time', () => {
    const nearest = (ts: number | string, dir = 'f') =>
      get<{ event_id: string; origin_server_ts: number }>(
        below(roomId, `/timestamp_to_event?ts=${ts}&dir=${dir}`),
      );

    it('the event nearest to a time is found in either direction, inclusive', async () => {
      const { chunk } = await messages({ limit: '1000' });
      const [first, last] = [chunk[0], chunk.at(-1)];
      const [start, end] = [first?.origin_server_ts ?? 0, last?.origin_server_ts ?? 0];
      expect((await nearest(0)).body).toEqual({ event_id: first?.event_id, origin_server_ts: start });
      expect((await nearest(start)).body.event_id).toBe(first?.event_id);
      expect((await nearest(end, 'b')).body).toEqual({ event_id: last?.event_id, origin_server_ts: end });
      expect((await nearest('9223372036854775807', 'b')).body.event_id).toBe(last?.event_id);
      expect(await nearest(end + 1)).toMatchObject(notFound);
      expect(await nearest(start - 1, 'b')).toMatchObject(notFound);
    });

    it.each([
      ['', 'M_MISSING_PARAM'],
      ['ts=x&dir=x', 'M_INVALID_PARAM'],
      ['ts=-1', 'M_INVALID_PARAM'],
      ['ts=1&dir=x', 'M_INVALID_PARAM'],
    ])('the event nearest to a time is refused for %s', async (query, errcode) => {
      expect(await get(below(roomId, `/timestamp_to_event?${query}`))).toMatchObject(refusal(400, errcode));
    });
  });

  describe('context of an event', () => {
    const around = (event = sent[4] ?? '', query = '', room = roomId) =>
      get<Context>(below(room, `${path`/context/${event}`}${query}`));

    it('has two events before and three after, nearest first', async () => {
      const { body } = await around(sent[4], '?limit=5');
      expect(body.event).toMatchObject({ event_id: sent[4], user_id: alice.userId });
      expect(bodies(body.events_before)).toEqual(['message 3', 'message 2']);
      expect(bodies(body.events_after)).toEqual(['message 5', 'message 6', 'message 7']);
      expect(body.state.map(({ type }) => type)).toContain('m.room.create');
      expect(bodies((await messages({ dir: 'b', from: body.start, limit: '1' })).chunk)).toEqual([
        'message 1',
      ]);
      expect((await messages({ from: body.end })).chunk).toEqual([]);
    });

    it('has the event alone for limit 0, with the state at that time', async () => {
      const room = await create(alice, { name: 'before' });
      const event = await sendMessage(alice, room, 'x');
      await alice.put(`${V3}${path`/rooms/${room}`}/state/m.room.name`, { body: { name: 'after' } });
      const { body } = await around(event, '?limit=0', room);
      expect([body.events_before, body.events_after]).toEqual([[], []]);
      expect(body.state.find(({ type }) => type === 'm.room.name')?.content).toEqual({ name: 'before' });
    });

    it('context of an event is filtered', async () => {
      const filter = encodeURIComponent(JSON.stringify({ senders: [bob.userId] }));
      const { body } = await around(sent[4], `?limit=2&filter=${filter}`);
      expect(body.event.event_id).toBe(sent[4]);
      for (const event of [...body.events_before, ...body.events_after, ...body.state]) {
        expect(event.sender).toBe(bob.userId);
      }
    });

    it('context of an event is found in the room of the event only', async () => {
      expect(await around('$unknown')).toMatchObject(notFound);
      expect(await around(sent[4], '', await create(alice))).toMatchObject(notFound);
    });

    it.each([
      ['?limit=x&filter=x', 'M_INVALID_PARAM'],
      ['?limit=-1', 'M_INVALID_PARAM'],
      ['?filter=x', 'M_NOT_JSON'],
    ])('context of an event is refused for %s', async (query, errcode) => {
      expect(await around('$unknown', query)).toMatchObject(refusal(400, errcode));
    });
  });

  it('an event of any room is returned as stored, redacted if applicable', async () => {
    const room = await create(alice);
    const event = await sendMessage(alice, room, 'secret');
    const fetch = (id: string) => get<{ event: Event }>(`${ADMIN}${path`/fetch_event/${id}`}`);
    expect((await fetch(event)).body.event).toMatchObject({
      event_id: event,
      room_id: room,
      content: { body: 'secret' },
      hashes: { sha256: expect.any(String) },
    });
    const redact = `${V3}${path`/rooms/${room}`}/redact/${encodeURIComponent(event)}/1`;
    expect((await alice.put(redact, { body: {} })).status).toBe(200);
    expect((await fetch(event)).body.event.content).toEqual({});
    expect(await fetch('$unknown')).toMatchObject(notFound);
  });

  describe('forward extremities', () => {
    const at = (room: string) => `${ADMIN}${path`/rooms/${room}/forward_extremities`}`;

    it('forward extremities are returned for a room, by its id and by an alias', async () => {
      const alias = world.freshName('alias');
      const room = await create(alice, { room_alias_name: alias });
      const event = await sendMessage(alice, room, 'last');
      const expected = {
        count: 1,
        results: [
          {
            event_id: event,
            state_group: expect.any(Number),
            depth: expect.any(Number),
            received_ts: expect.any(Number),
          },
        ],
      };
      expect((await get(at(room))).body).toEqual(expected);
      expect((await get(at(`#${alias}:test`))).body).toEqual(expected);
      expect((await world.admin.delete(at(room))).body).toEqual({ deleted: 0 });
      expect((await get(at(room))).body).toEqual(expected);
    });

    it('forward extremities are not found for an unknown room', async () => {
      expect((await get(at('!unknown:test'))).body).toEqual({ count: 0, results: [] });
      expect(await world.admin.delete(at('!unknown:test'))).toMatchObject(unknown);
    });

    it.each([
      ['nonsense', 400, 'M_UNKNOWN'],
      ['', 400, 'M_UNKNOWN'],
      ['#unknown:test', 404, 'M_NOT_FOUND'],
      ['#unknown:elsewhere.example', 502, 'M_UNKNOWN'],
    ])('of %s are refused', async (room, status, errcode) => {
      expect(await get(at(room))).toMatchObject(refusal(status, errcode));
      expect(await world.admin.delete(at(room))).toMatchObject(refusal(status, errcode));
    });
  });

  describe('a user', () => {
    const of = (userId: string, what: string) => get(`${ADMIN}${path`/users/${userId}`}/${what}`);

    it('has current and former rooms', async () => {
      const user = await world.user();
      const [left, invited] = [
        await create(alice, { preset: 'public_chat' }),
        await create(alice, { invite: [user.userId] }),
      ];
      await act(user, left, 'join');
      await act(user, left, 'leave');
      const own = [await create(user), await create(user)].sort();
      expect((await of(user.userId, 'joined_rooms')).body).toEqual({ joined_rooms: own, total: 2 });
      expect((await of(user.userId, 'memberships')).body).toEqual({
        memberships: { [own[0] ?? '']: 'join', [own[1] ?? '']: 'join', [left]: 'leave', [invited]: 'invite' },
      });
    });

    it.each(['@nobody:test', '@nobody:elsewhere', 'nonsense', ''])('a user is unknown: %j', async (id) => {
      expect(await of(id, 'joined_rooms')).toMatchObject({
        status: 200,
        body: { joined_rooms: [], total: 0 },
      });
      expect(await of(id, 'memberships')).toMatchObject({ status: 200, body: { memberships: {} } });
      expect((await of(id, 'sent_invite_count?from_ts=0')).body).toEqual({ invite_count: 0 });
      expect((await of(id, 'cumulative_joined_room_count?from_ts=0')).body).toEqual({
        cumulative_joined_room_count: 0,
      });
    });

    it('has counts of sent invitations and joined rooms since a time', async () => {
      const user = await world.user();
      const room = await create(user, { invite: [alice.userId] });
      await act(user, room, 'invite', { user_id: bob.userId });
      await act(user, room, 'invite', { user_id: 'nonsense' });
      const other = await create(alice, { preset: 'public_chat' });
      for (const action of ['join', 'leave', 'join', 'leave']) await act(user, other, action);
      const invites = (ts: number) => of(user.userId, `sent_invite_count?from_ts=${ts}`);
      const joins = (ts: number) => of(user.userId, `cumulative_joined_room_count?from_ts=${ts}`);
      expect((await invites(0)).body).toEqual({ invite_count: 2 });
      expect((await joins(0)).body).toEqual({ cumulative_joined_room_count: 2 });
      const { body } = await get<{ state: Event[] }>(below(room, '/state?type=m.room.create'));
      const created = body.state[0]?.origin_server_ts ?? 0;
      expect((await invites(created)).body).toEqual({ invite_count: 2 });
      expect((await joins(created)).body).toEqual({ cumulative_joined_room_count: 2 });
      const later = created + 60 * 60_000;
      expect((await invites(later)).body).toEqual({ invite_count: 0 });
      expect((await joins(later)).body).toEqual({ cumulative_joined_room_count: 0 });
    });

    it.each(['sent_invite_count', 'cumulative_joined_room_count'])('requires a time for %s', async (what) => {
      expect(await of('@x:test', what)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await of('@x:test', `${what}?from_ts=x`)).toMatchObject(invalid);
      expect(await of('@x:test', `${what}?from_ts=-1`)).toMatchObject(invalid);
    });
  });

  describe('joining a user to a room', () => {
    const join = (room: string, body: unknown) =>
      world.admin.post(`${ADMIN}${path`/join/${room}`}`, { body });

    it('works for a public room, by its id and by an alias', async () => {
      const alias = world.freshName('alias');
      const room = await create(alice, { preset: 'public_chat', room_alias_name: alias });
      const [one, two] = [await world.user(), await world.user()];
      expect(await join(room, { user_id: one.userId })).toMatchObject({
        status: 200,
        body: { room_id: room },
      });
      expect((await join(`#${alias}:test`, { user_id: two.userId })).body).toEqual({ room_id: room });
      expect((await join(room, { user_id: one.userId })).status).toBe(200);
      expect((await get(below(room, '/members'))).body).toMatchObject({ total: 3 });
    });

    it('works for a private room if the administrator can invite', async () => {
      const user = await world.user();
      expect(await join(await create(alice), { user_id: user.userId })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
      const room = await create(world.admin);
      expect(await join(room, { user_id: user.userId })).toMatchObject({ status: 200 });
      expect(await join(room, { user_id: user.userId })).toMatchObject({ status: 200 });
      expect((await get(below(room, '/members'))).body).toMatchObject({ total: 2 });
    });

    it.each([
      ['#unknown:test', undefined, 400, 'M_NOT_JSON'],
      ['#unknown:test', [], 400, 'M_BAD_JSON'],
      ['#unknown:test', {}, 400, 'M_MISSING_PARAM'],
      ['#unknown:test', { user_id: 1 }, 400, 'M_INVALID_PARAM'],
      ['#unknown:test', { user_id: 'nobody' }, 400, 'M_INVALID_PARAM'],
      ['#unknown:test', { user_id: '@nobody:elsewhere' }, 400, 'M_UNKNOWN'],
      ['#unknown:test', { user_id: '@nobody:test' }, 404, 'M_NOT_FOUND'],
    ])('joining a user to a room is refused for %s %j', async (room, body, status, errcode) => {
      expect(await join(room, body)).toMatchObject(refusal(status, errcode));
    });

    it.each([
      ['nonsense', 400, 'M_UNKNOWN'],
      ['#unknown:test', 404, 'M_NOT_FOUND'],
      ['!unknown:test', 404, 'M_UNKNOWN'],
    ])('joining a user to a room is refused for %s, which is not a room', async (room, status, errcode) => {
      const body = { user_id: world.admin.userId };
      expect(await join(room, body)).toMatchObject(refusal(status, errcode));
    });
  });

  describe('the space hierarchy', () => {
    interface Hierarchy {
      readonly rooms: readonly { readonly room_id: string; readonly [key: string]: unknown }[];
      readonly next_batch?: string;
    }
    const SPACE = { creation_content: { type: 'm.space' } };
    const hierarchy = (room: string, query: Record<string, string> = {}) =>
      get<Hierarchy>(below(room, `/hierarchy?${new URLSearchParams(query)}`));
    const addChild = (space: string, child: string, content: Record<string, unknown> = {}) =>
      alice.put(`${V3}${path`/rooms/${space}/state/m.space.child/${child}`}`, {
        body: { via: ['test'], ...content },
      });
    let space: string;
    let inner: string;
    let last: string;
    let leaf: string;

    beforeAll(async () => {
      space = await create(alice, { ...SPACE, name: 'The space' });
      inner = await create(alice, SPACE);
      last = await create(alice, { preset: 'public_chat' });
      leaf = await create(alice);
      await addChild(space, last, { order: 'b' });
      await addChild(space, inner, { order: 'a' });
      await addChild(space, '!elsewhere:elsewhere');
      await addChild(space, leaf, { via: [] });
      await addChild(inner, leaf);
      await addChild(inner, space);
    });

    it('the space hierarchy is returned depth first, each room once, independent of membership', async () => {
      const { status, body } = await hierarchy(space);
      expect(status).toBe(200);
      expect(body.rooms.map(({ room_id }) => room_id)).toEqual([space, inner, leaf, last]);
      expect(body).not.toHaveProperty('next_batch');
      expect(body.rooms[0]).toMatchObject({
        name: 'The space',
        num_joined_members: 1,
        world_readable: false,
        guest_can_join: true,
        join_rule: 'invite',
        room_type: 'm.space',
      });
      expect(body.rooms[0]?.children_state).toMatchObject([
        { type: 'm.space.child', state_key: inner, content: { order: 'a' }, sender: alice.userId },
        { state_key: last },
        { state_key: '!elsewhere:elsewhere' },
      ]);
      expect(body.rooms[3]).toMatchObject({ join_rule: 'public', children_state: [] });
    });

    it('the space hierarchy is limited in depth', async () => {
      const to = async (max_depth: string) => (await hierarchy(space, { max_depth })).body.rooms.length;
      expect([await to('0'), await to('1'), await to('2')]).toEqual([1, 3, 4]);
    });

    it('the space hierarchy is paged', async () => {
      const { rooms } = (await hierarchy(space)).body;
      const first = (await hierarchy(space, { limit: '3' })).body;
      const { next_batch: from = '' } = first;
      const second = (await hierarchy(space, { limit: '3', from })).body;
      expect([...first.rooms, ...second.rooms]).toEqual(rooms);
      expect(second).not.toHaveProperty('next_batch');
      expect(await hierarchy(space, { from, max_depth: '1' })).toMatchObject(invalid);
      expect(await hierarchy(inner, { from })).toMatchObject(invalid);
      const none = (await hierarchy(space, { limit: '0', from })).body;
      expect(none).toEqual({ rooms: [], next_batch: from });
    });

    it.each(['limit=-1', 'limit=x', 'max_depth=-1', 'from=x', 'from='])(
      'is refused for %s',
      async (query) => {
        expect(await get(below(space, `/hierarchy?${query}`))).toMatchObject(invalid);
      },
    );
  });
});
