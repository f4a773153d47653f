import { type Actor, path } from '@steward/testing';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';

/** Longer than any notification of a waiting client takes. */
const LONG_MS = 50_000;

/** The keys of a stripped event. */
const STRIPPED = ['content', 'sender', 'state_key', 'type'];

const MONTH_MS = 31 * 24 * 60 * 60_000;

interface ClientEvent {
  readonly event_id: string;
  readonly type: string;
  readonly sender: string;
  readonly state_key?: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly unsigned: Readonly<Record<string, unknown>>;
}

interface Events<E = ClientEvent> {
  readonly events: readonly E[];
}

interface Timeline extends Events {
  readonly limited: boolean;
  readonly prev_batch: string;
}

interface Room {
  readonly timeline: Timeline;
  readonly state: Events;
  readonly account_data: Events;
  readonly summary: Readonly<Record<string, unknown>>;
}

interface Synced {
  readonly next_batch: string;
  readonly rooms?: {
    readonly join?: Readonly<Record<string, Room>>;
    readonly invite?: Readonly<Record<string, { readonly invite_state: Events }>>;
    readonly knock?: Readonly<Record<string, { readonly knock_state: Events }>>;
    readonly leave?: Readonly<Record<string, Room>>;
  };
  readonly account_data?: Events;
}

type Query = Readonly<Record<string, string | number | boolean>>;

const bodies = (events: readonly ClientEvent[]) =>
  events.filter(({ type }) => type === 'm.room.message').map(({ content }) => content.body);
const types = (events: readonly ClientEvent[]) => events.map(({ type }) => type);
const idsOf = (events: readonly ClientEvent[]) => events.map(({ event_id }) => event_id);

pairedChapter('10.2 Sync', (world) => {
  let transactions = 0;

  const request = (user: Actor, query: Query = {}) => {
    const parameters = Object.entries(query).map(([key, value]) => [key, String(value)]);
    return user.get<Synced>(`${V3}/sync?${new URLSearchParams(parameters)}`);
  };
  const sync = async (user: Actor, query: Query = {}): Promise<Synced> => {
    const reply = await request(user, query);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  };
  const tokenOf = async (user: Actor) => (await sync(user)).next_batch;
  const room = async (user: Actor, body: Record<string, unknown> = { preset: 'public_chat' }) =>
    (await user.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const act = async (user: Actor, roomId: string, verb: string, body: Record<string, unknown> = {}) => {
    const reply = await user.post(`${path`/_proto/client/v3/rooms/${roomId}`}/${verb}`, { body });
    if (reply.status !== 200) throw new Error(reply.text);
  };
  const sendMessage = async (user: Actor, roomId: string, body: string) => {
    const txn = `t${++transactions}`;
    const reply = await user.put<{ event_id: string }>(
      path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/${txn}`,
      { body: { msgtype: 'm.text', body } },
    );
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.event_id;
  };
  const setState = async (user: Actor, roomId: string, type: string, body: unknown, stateKey = '') => {
    const reply = await user.put<{ event_id: string }>(
      path`/_proto/client/v3/rooms/${roomId}/state/${type}/${stateKey}`,
      { body },
    );
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.event_id;
  };
  const setData = (user: Actor, where: string, body: unknown) =>
    user.put(`${path`/_proto/client/v3/user/${user.userId}`}/${where}`, { body });

  describe('a request', () => {
    let user: Actor;
    beforeAll(async () => {
      user = await world.user();
    });

    it.each([
      ['a malformed token', { since: 'x' }, 'M_UNKNOWN'],
      ['`from` instead of `since`', { from: 's0' }, 'M_UNKNOWN'],
      ['a time that is not a number', { timeout: 'soon' }, 'M_INVALID_PARAM'],
      ['a time before now', { timeout: -1 }, 'M_INVALID_PARAM'],
      ['a full_state that is not a boolean', { full_state: 'yes' }, 'M_INVALID_PARAM'],
      ['an unknown presence', { set_presence: 'asleep' }, 'M_INVALID_PARAM'],
      ['an unknown filter', { filter: '7' }, 'M_INVALID_PARAM'],
      ['a filter that is not JSON', { filter: '{"room":' }, 'M_NOT_JSON'],
      ['a filter of the wrong shape', { filter: '{"room":[]}' }, 'M_BAD_JSON'],
      ['malformed types', { filter: '{"room":{"timeline":{"types":1}}}' }, 'M_BAD_JSON'],
    ])('with %s is refused', async (_, query, errcode) => {
      expect(await request(user, query as unknown as Query)).toMatchObject(refusal(400, errcode));
    });

    it('without an access token is refused', async () => {
      expect(await world.http('GET', `${V3}/sync`)).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
    });

    it.each([
      ['no token'],
      ['the beginning', 's0_0_0_0_0_0_0_0_0_0'],
      ['a number that was never returned', 's99'],
      ['a future token', `s${Number.MAX_SAFE_INTEGER}`],
      ['a position in a room', 't1-0_0_0_0_0_0_0_0_0_0'],
    ])('with %s returns everything immediately', async (_, since?: string) => {
      const query = { timeout: LONG_MS, ...(since === undefined ? {} : { since }) };
      const { body } = await request(user, query);
      expect(body).toEqual({
        next_batch: expect.stringMatching(/^s\d+\w*$/),
        account_data: { events: [{ type: 'm.push_rules', content: expect.any(Object) }] },
        device_one_time_keys_count: {},
        device_unused_fallback_key_types: [],
      });
    });

    it('a sync request is also served under r0', async () => {
      expect((await user.get('/_proto/client/r0/sync')).status).toBe(200);
    });

    it('with the latest token returns nothing', async () => {
      const since = await tokenOf(user);
      expect(await sync(user, { since, set_presence: 'offline' })).toEqual({
        next_batch: since,
        device_one_time_keys_count: {},
        device_unused_fallback_key_types: [],
      });
    });
  });

  describe('a room', () => {
    let alice: Actor;
    let bob: Actor;
    beforeAll(async () => {
      alice = await world.user('alice');
      bob = await world.user('bob');
    });
    const shared = async (body?: Record<string, unknown>) => {
      const roomId = await room(alice, body);
      await act(bob, roomId, 'join');
      return roomId;
    };
    const joined = async (user: Actor, roomId: string, query: Query = {}) => {
      const synced = await sync(user, query);
      return { ...synced.rooms?.join?.[roomId], since: synced.next_batch } as Room & { since: string };
    };

    it('has its newest events, and the state before them', async () => {
      const roomId = await shared({ preset: 'public_chat', name: 'Name' });
      for (let n = 1; n <= 9; n++) await sendMessage(alice, roomId, `${n}`);
      const { timeline, state, summary, ...others } = await joined(bob, roomId);
      expect(types(timeline.events)).toEqual(['m.room.member', ...Array(9).fill('m.room.message')]);
      expect(timeline.limited).toBe(true);
      expect(new Set(types(state.events))).toContain('m.room.create');
      expect(state.events.find(({ type }) => type === 'm.room.name')?.content).toEqual({ name: 'Name' });
      expect(idsOf(state.events).filter((id) => idsOf(timeline.events).includes(id))).toEqual([]);
      for (const event of [...timeline.events, ...state.events]) expect(event).not.toHaveProperty('room_id');
      expect(summary).toEqual({ 'm.joined_member_count': 2, 'm.invited_member_count': 0 });
      expect(others).toMatchObject({
        account_data: { events: [] },
        ephemeral: { events: [] },
        unread_notifications: { notification_count: 9, highlight_count: 0 },
      });
      const earlier = await bob.get<{ chunk: ClientEvent[] }>(
        path`/_proto/client/v3/rooms/${roomId}/messages?dir=b&limit=1&from=${timeline.prev_batch}`,
      );
      expect(idsOf(state.events)).toContain(earlier.body.chunk[0]?.event_id);
    });

    it('can be read further from the position of a sync', async () => {
      const roomId = await shared();
      const earlierId = await sendMessage(alice, roomId, 'before');
      const since = await tokenOf(bob);
      const later = await sendMessage(alice, roomId, 'after');
      const at = async (dir: string) => {
        const { body } = await bob.get<{ chunk: ClientEvent[]; start: string }>(
          path`/_proto/client/v3/rooms/${roomId}/messages?dir=${dir}&limit=1&from=${since}`,
        );
        expect(body.start).toBe(since);
        return idsOf(body.chunk);
      };
      expect([await at('b'), await at('f')]).toEqual([[earlierId], [later]]);
      await act(alice, roomId, 'leave');
      const members = await bob.get<{ chunk: ClientEvent[] }>(
        path`/_proto/client/v3/rooms/${roomId}/members?membership=join&at=${since}`,
      );
      expect(members.body.chunk).toHaveLength(2);
    });

    it('without a name contains the other members', async () => {
      const roomId = await shared();
      expect((await joined(bob, roomId)).summary).toMatchObject({ 'm.heroes': [alice.userId] });
    });

    it('with few events is complete', async () => {
      const roomId = await room(alice);
      const { timeline, state } = await joined(alice, roomId);
      expect(timeline.limited).toBe(false);
      expect(types(timeline.events)[0]).toBe('m.room.create');
      expect(state.events).toEqual([]);
    });

    it('shows a sent event to all members in their next sync', async () => {
      const roomId = await shared();
      const tokens = [await tokenOf(alice), await tokenOf(bob)];
      const eventId = await sendMessage(alice, roomId, 'now');
      for (const [index, user] of [alice, bob].entries()) {
        const { timeline, state } = await joined(user, roomId, { since: tokens[index] ?? '' });
        expect(idsOf(timeline.events)).toEqual([eventId]);
        expect(timeline.limited).toBe(false);
        expect(state.events).toEqual([]);
      }
    });

    it('shows the transaction id of an event to the sending device only', async () => {
      const roomId = await shared();
      const other = await world.login(alice);
      await sendMessage(alice, roomId, 'mine');
      const last = async (user: Actor) => (await joined(user, roomId)).timeline.events.at(-1)?.unsigned;
      expect(await last(alice)).toHaveProperty('transaction_id', `t${transactions}`);
      for (const user of [other, bob]) expect(await last(user)).not.toHaveProperty('transaction_id');
    });

    it('with more events than the limit has the newest, and the state changes before them', async () => {
      const roomId = await shared();
      const since = await tokenOf(bob);
      await setState(alice, roomId, 'm.room.topic', { topic: 'old' });
      await setState(alice, roomId, 'm.room.topic', { topic: 'new' });
      for (let n = 1; n <= 4; n++) await sendMessage(alice, roomId, `${n}`);
      const filter = JSON.stringify({ room: { timeline: { limit: 2 } } });
      const { timeline, state } = await joined(bob, roomId, { since, filter });
      expect(bodies(timeline.events)).toEqual(['3', '4']);
      expect(timeline.limited).toBe(true);
      expect(state.events.map(({ content }) => content)).toEqual([{ topic: 'new' }]);
      const earlier = await bob.get<{ chunk: ClientEvent[] }>(
        path`/_proto/client/v3/rooms/${roomId}/messages?dir=b&limit=2&from=${timeline.prev_batch}`,
      );
      expect(bodies(earlier.body.chunk)).toEqual(['2', '1']);
    });

    it('returns state that the timeline does not show', async () => {
      const roomId = await shared();
      const since = await tokenOf(bob);
      const topic = await setState(alice, roomId, 'm.room.topic', { topic: 'quiet' });
      const message = await sendMessage(alice, roomId, 'loud');
      const filter = JSON.stringify({ room: { timeline: { types: ['m.room.message'] } } });
      const { timeline, state } = await joined(bob, roomId, { since, filter });
      expect([idsOf(timeline.events), idsOf(state.events)]).toEqual([[message], [topic]]);
    });

    it('can be excluded, and is returned in full later', async () => {
      const roomId = await shared();
      const since = await tokenOf(bob);
      const eventId = await sendMessage(alice, roomId, 'unwanted');
      const without = await sync(bob, {
        since,
        filter: JSON.stringify({ room: { not_rooms: [roomId] } }),
      });
      expect(without.rooms).toBeUndefined();
      const { timeline } = await joined(bob, roomId, { since: without.next_batch });
      expect(idsOf(timeline.events)).toEqual([eventId]);
    });

    it('has only members who sent events, with lazy loading', async () => {
      const roomId = await shared();
      const silent = await world.user();
      await act(silent, roomId, 'join');
      for (let n = 1; n <= 3; n++) await sendMessage(alice, roomId, `${n}`);
      const filter = { room: { timeline: { limit: 3 }, state: { lazy_load_members: true } } };
      const stored = await bob.post<{ filter_id: string }>(
        path`/_proto/client/v3/user/${bob.userId}/filter`,
        { body: filter },
      );
      const { since, ...initial } = await joined(bob, roomId, {
        filter: JSON.stringify({ ...filter, room: { ...filter.room, rooms: [roomId] } }),
      });
      const members = ({ state }: Room) =>
        state.events.filter(({ type }) => type === 'm.room.member').map(({ state_key }) => state_key);
      expect(members(initial)).toEqual(expect.arrayContaining([alice.userId, bob.userId]));
      await sendMessage(silent, roomId, 'at last');
      const later = await joined(bob, roomId, { since, filter: stored.body.filter_id });
      expect(members(later)).toEqual([silent.userId]);
    });

    it('has its full state on request, even without news', async () => {
      const roomId = await shared();
      const since = await tokenOf(bob);
      const { timeline, state } = await joined(bob, roomId, { since, full_state: true, timeout: LONG_MS });
      expect(timeline.events).toEqual([]);
      expect(types(state.events)).toEqual(expect.arrayContaining(['m.room.create', 'm.room.power_levels']));
    });

    it('a room that was joined since the token is returned as in an initial sync', async () => {
      const roomId = await room(alice);
      await sendMessage(alice, roomId, 'before');
      const since = await tokenOf(bob);
      await setData(bob, path`rooms/${roomId}/account_data/x`, { kept: true });
      const later = (await sync(bob, { since })).next_batch;
      await act(bob, roomId, 'join');
      const filter = JSON.stringify({ room: { timeline: { limit: 2 } } });
      const first = await joined(bob, roomId, { since: later, filter });
      expect(types(first.timeline.events)).toEqual(['m.room.message', 'm.room.member']);
      expect(first.timeline.limited).toBe(true);
      expect(types(first.state.events)).toContain('m.room.create');
      expect(first.account_data.events).toEqual([{ type: 'x', content: { kept: true } }]);
      await act(bob, roomId, 'leave');
      await act(bob, roomId, 'join');
      const again = await sync(bob, { since: first.since, filter });
      expect(Object.keys(again.rooms ?? {})).toEqual(['join']);
      expect(types(again.rooms?.join?.[roomId]?.state.events ?? [])).toContain('m.room.create');
    });

    it('with members-only history shows no earlier events, and its full state', async () => {
      const roomId = await room(alice);
      await setState(alice, roomId, 'm.room.history_visibility', { history_visibility: 'joined' });
      const topic = await setState(alice, roomId, 'm.room.topic', { topic: 'secret' });
      await sendMessage(alice, roomId, 'secret');
      await act(bob, roomId, 'join');
      const { timeline, state } = await joined(bob, roomId);
      expect(types(timeline.events).slice(-2)).toEqual(['m.room.history_visibility', 'm.room.member']);
      expect(idsOf(state.events)).toEqual([topic]);
    });

    it('a room that the user is invited to has stripped state, once', async () => {
      const since = await tokenOf(bob);
      const roomId = await room(alice, { preset: 'private_chat', name: 'Come', invite: [bob.userId] });
      const { rooms, next_batch } = await sync(bob, { since });
      expect(Object.keys(rooms ?? {})).toEqual(['invite']);
      const events = rooms?.invite?.[roomId]?.invite_state.events ?? [];
      for (const event of events) expect(Object.keys(event).sort()).toEqual(STRIPPED);
      expect(types(events)).toEqual(expect.arrayContaining(['m.room.create', 'm.room.name']));
      expect(events.at(-2)).toMatchObject({ type: 'm.room.member', state_key: alice.userId });
      expect(events.at(-1)).toMatchObject({
        state_key: bob.userId,
        sender: alice.userId,
        content: { membership: 'invite' },
      });
      expect((await sync(bob, { since: next_batch })).rooms).toBeUndefined();
      expect((await sync(bob)).rooms?.invite).toHaveProperty([roomId]);

      await act(bob, roomId, 'leave');
      const declined = await sync(bob, { since: next_batch });
      expect(Object.keys(declined.rooms ?? {})).toEqual(['leave']);
      expect(declined.rooms?.leave?.[roomId]).toMatchObject({
        timeline: { events: [{ state_key: bob.userId, content: { membership: 'leave' } }] },
        state: { events: [] },
      });
      expect((await sync(bob, { since: declined.next_batch })).rooms).toBeUndefined();
    });

    it('a room that the user knocked on has stripped state', async () => {
      const roomId = await room(alice, {
        room_version: '10',
        initial_state: [{ type: 'm.room.join_rules', content: { join_rule: 'knock' } }],
      });
      const since = await tokenOf(bob);
      await bob.post(path`/_proto/client/v3/knock/${roomId}`, { body: {} });
      const { rooms } = await sync(bob, { since });
      expect(rooms?.knock?.[roomId]?.knock_state.events.at(-1)).toMatchObject({
        state_key: bob.userId,
        content: { membership: 'knock' },
      });
    });

    it('a room that was left shows events until then, once', async () => {
      const roomId = await shared();
      const since = await tokenOf(bob);
      await sendMessage(alice, roomId, 'goodbye');
      await act(alice, roomId, 'kick', { user_id: bob.userId });
      await sendMessage(alice, roomId, 'at last');
      const { rooms, next_batch } = await sync(bob, { since });
      expect(Object.keys(rooms ?? {})).toEqual(['leave']);
      expect(types(rooms?.leave?.[roomId]?.timeline.events ?? [])).toEqual([
        'm.room.message',
        'm.room.member',
      ]);
      expect((await sync(bob, { since: next_batch })).rooms).toBeUndefined();
      expect((await sync(bob, { since })).rooms?.leave).toHaveProperty([roomId]);

      const leftOf = async () => {
        const filter = JSON.stringify({ room: { include_leave: true } });
        return (await sync(bob, { filter })).rooms?.leave?.[roomId];
      };
      expect((await sync(bob)).rooms?.leave).toBeUndefined();
      expect(bodies((await leftOf())?.timeline.events ?? [])).toEqual(['goodbye']);
      await act(bob, roomId, 'forget');
      expect(await leftOf()).toBeUndefined();
    });

    it('to which an invitation was rejected is returned with all state, also to clients that missed it', async () => {
      const user = await world.user();
      const roomId = await room(alice);
      const since = await tokenOf(user);
      await act(alice, roomId, 'invite', { user_id: user.userId });
      await act(user, roomId, 'leave');
      expect((await sync(user, { since })).rooms).toBeUndefined();
      const { rooms } = await sync(user, { since, full_state: true });
      expect(rooms?.leave?.[roomId]?.timeline.events).toMatchObject([
        { state_key: user.userId, content: { membership: 'leave' }, unsigned: { membership: 'leave' } },
      ]);
      const filter = JSON.stringify({ room: { include_leave: true } });
      expect((await sync(user, { filter })).rooms?.leave).toHaveProperty([roomId]);
    });

    it('shows no messages and no invitations of ignored users', async () => {
      const reader = await world.user();
      const pest = await world.user();
      const roomId = await room(alice);
      await act(reader, roomId, 'join');
      await act(pest, roomId, 'join');
      const filter = JSON.stringify({ room: { timeline: { limit: 50 } } });
      const seen = async () =>
        bodies((await sync(reader, { filter })).rooms?.join?.[roomId]?.timeline.events ?? []);
      const ignore = async (users: readonly string[]) => {
        const ignored_users = Object.fromEntries(users.map((userId) => [userId, {}]));
        expect(await setData(reader, 'account_data/m.ignored_user_list', { ignored_users })).toMatchObject({
          status: 200,
        });
      };
      await sendMessage(pest, roomId, 'spam');
      await sendMessage(alice, roomId, 'news');
      expect(await seen()).toEqual(['spam', 'news']);
      await ignore([pest.userId, reader.userId]);
      // The process that answers hears of the change a moment later.
      await expect.poll(seen).toEqual(['news']);
      const since = await tokenOf(reader);
      const own = await sendMessage(reader, roomId, 'mine');
      await sendMessage(pest, roomId, 'more spam');
      await setState(pest, roomId, 'm.room.member', { membership: 'join', displayname: 'Pest' }, pest.userId);
      const club = await room(pest, { invite: [reader.userId] });
      const { rooms } = await sync(reader, { since });
      expect(rooms?.invite).toBeUndefined();
      expect(rooms?.join?.[roomId]?.timeline.events).toMatchObject([
        { event_id: own },
        { type: 'm.room.member', state_key: pest.userId },
      ]);
      const messages = `${path`/_proto/client/v3/rooms/${roomId}/messages`}?dir=b&limit=100`;
      const { chunk } = (await reader.get<{ chunk: readonly ClientEvent[] }>(messages)).body;
      expect(bodies(chunk)).toEqual(['mine', 'news']);
      await ignore([]);
      await expect.poll(async () => (await sync(reader, { since })).rooms?.invite).toHaveProperty([club]);
    });

    it('a room that was purged is left once by each client that was away, and can be left and forgotten', async () => {
      const roomId = await shared();
      const invited = await world.user();
      await act(alice, roomId, 'invite', { user_id: invited.userId });
      const [since, sinceInvited] = [await tokenOf(bob), await tokenOf(invited)];
      await sendMessage(alice, roomId, 'unheard');
      expect(
        await world.admin.delete(path`/_service/admin/v1/rooms/${roomId}`, { body: { purge: true } }),
      ).toMatchObject({ status: 200 });
      for (const [user, token] of [
        [bob, since],
        [invited, sinceInvited],
      ] as const) {
        const { rooms, next_batch } = await sync(user, { since: token });
        expect(Object.keys(rooms ?? {})).toEqual(['leave']);
        const [left, ...more] = rooms?.leave?.[roomId]?.timeline.events ?? [];
        expect(left).toMatchObject({
          event_id: expect.stringMatching(/^\$[\w-]{43}$/),
          type: 'm.room.member',
          state_key: user.userId,
          content: { membership: 'leave' },
        });
        expect(more).toEqual([]);
        // A client that asks again receives the same event.
        expect((await sync(user, { since: token })).rooms?.leave?.[roomId]?.timeline.events).toMatchObject([
          { event_id: left?.event_id },
        ]);
        expect((await sync(user, { since: next_batch })).rooms?.leave).toBeUndefined();
        expect((await sync(user)).rooms?.leave).toBeUndefined();
        await act(user, roomId, 'leave');
        await act(user, roomId, 'forget');
      }
      const never = `${path`/_proto/client/v3/rooms/${'!neverwasherebefore:test'}`}/leave`;
      expect(await bob.post(never)).toMatchObject(refusal(404, 'M_UNKNOWN'));
    });

    it('a room that was left and forgotten is returned once, to clients that know it as joined', async () => {
      const kept = await shared();
      const emptied = await shared();
      const since = await tokenOf(bob);
      await act(bob, kept, 'leave');
      await act(bob, kept, 'forget');
      await world.admin.delete(path`/_service/admin/v1/rooms/${emptied}`, { body: { purge: false } });
      const { rooms, next_batch } = await sync(bob, { since });
      expect(Object.keys(rooms ?? {})).toEqual(['leave']);
      for (const roomId of [kept, emptied]) {
        expect(rooms?.leave?.[roomId]?.timeline.events.at(-1)).toMatchObject({
          state_key: bob.userId,
          content: { membership: 'leave' },
        });
      }
      expect((await sync(bob, { since: next_batch })).rooms).toBeUndefined();
    });

    it('a room that was joined and left since the token is a left room', async () => {
      const roomId = await room(alice);
      const since = await tokenOf(bob);
      await act(bob, roomId, 'join');
      await act(bob, roomId, 'leave');
      const { rooms, next_batch } = await sync(bob, { since });
      expect(Object.keys(rooms ?? {})).toEqual(['leave']);
      expect(types(rooms?.leave?.[roomId]?.state.events ?? [])).toEqual([]);
      expect(rooms?.leave?.[roomId]?.timeline.events.at(-1)?.content).toMatchObject({ membership: 'leave' });
      expect((await sync(bob, { since: next_batch })).rooms).toBeUndefined();
    });

    it('a room in a sync is returned again for the same token', async () => {
      const roomId = await shared();
      const since = await tokenOf(bob);
      const first = await sendMessage(alice, roomId, '1');
      const once = await joined(bob, roomId, { since });
      const second = await sendMessage(alice, roomId, '2');
      expect(idsOf((await joined(bob, roomId, { since })).timeline.events)).toEqual([first, second]);
      expect(idsOf((await joined(bob, roomId, { since: once.since })).timeline.events)).toEqual([second]);
    });

    it('a room in a sync is one of many, and each is returned when it has a new event', async () => {
      const carol = await world.user('carol');
      const rooms = await Promise.all(Array.from({ length: 40 }, () => room(carol)));
      let since = await tokenOf(carol);
      const returned: string[] = [];
      for (const roomId of rooms) {
        await sendMessage(carol, roomId, roomId);
        const { next_batch, rooms: news } = await sync(carol, { since });
        expect(Object.keys(news?.join ?? {})).toEqual([roomId]);
        returned.push(...bodies(news?.join?.[roomId]?.timeline.events ?? []).map(String));
        since = next_batch;
      }
      expect(returned).toEqual(rooms);
    });
  });

  describe('account data', () => {
    let user: Actor;
    beforeAll(async () => {
      user = await world.user();
    });

    it('of the user is returned when it changes', async () => {
      const since = await tokenOf(user);
      await setData(user, 'account_data/a', { n: 1 });
      await setData(user, 'account_data/a', { n: 2 });
      await setData(user, 'account_data/b', {});
      const { account_data, next_batch } = await sync(user, { since });
      expect(account_data?.events).toEqual([
        { type: 'a', content: { n: 2 } },
        { type: 'b', content: {} },
      ]);
      expect((await sync(user, { since: next_batch })).account_data).toBeUndefined();
      const filter = JSON.stringify({ account_data: { types: ['b'] } });
      expect((await sync(user, { since, filter })).account_data?.events).toMatchObject([{ type: 'b' }]);
    });

    it('of a room is returned with the room', async () => {
      const roomId = await room(user);
      const since = await tokenOf(user);
      await setData(user, path`rooms/${roomId}/tags/m.favourite`, { order: 0.5 });
      const { rooms } = await sync(user, { since });
      expect(rooms?.join?.[roomId]).toMatchObject({
        timeline: { events: [], limited: false },
        account_data: { events: [{ type: 'm.tag', content: { tags: { 'm.favourite': { order: 0.5 } } } }] },
      });
    });

    it('contains changes of the push rules', async () => {
      const since = await tokenOf(user);
      await user.put(`${V3}/pushrules/global/override/.m.rule.master/enabled`, { body: { enabled: true } });
      const { account_data } = await sync(user, { since });
      expect(types(account_data?.events ?? [])).toEqual(['m.push_rules']);
    });
  });

  it('device key counts are returned', async () => {
    const user = await world.user();
    await user.post(`${V3}/keys/upload`, {
      body: {
        one_time_keys: { 'curve25519:A': 'x', 'curve25519:B': 'y' },
        fallback_keys: { 'curve25519:C': 'z' },
      },
    });
    expect(await sync(user)).toMatchObject({
      device_one_time_keys_count: { curve25519: 2 },
      device_unused_fallback_key_types: ['curve25519'],
    });
  });

  describe('a waiting client', () => {
    let alice: Actor;
    let bob: Actor;
    let roomId: string;
    beforeAll(async () => {
      alice = await world.user('alice');
      bob = await world.user('bob');
      roomId = await room(alice);
      await act(bob, roomId, 'join');
    });
    /** Starts a long poll, then acts; a poll that starts too late returns the event as well. */
    const during = async (user: Actor, work: () => Promise<unknown>) => {
      const since = await tokenOf(user);
      const started = performance.now();
      const [reply] = await Promise.all([request(user, { since, timeout: LONG_MS }), work()]);
      expect(performance.now() - started).toBeLessThan(LONG_MS / 2);
      return reply;
    };

    it('a waiting client is notified of an event', async () => {
      const { body } = await during(bob, () => sendMessage(alice, roomId, 'wake up'));
      expect(bodies(body.rooms?.join?.[roomId]?.timeline.events ?? [])).toEqual(['wake up']);
    });

    it('a waiting client is notified of an invitation', async () => {
      const { body } = await during(bob, () => room(alice, { invite: [bob.userId] }));
      expect(Object.keys(body.rooms ?? {})).toEqual(['invite']);
    });

    it('a waiting client is notified of account data', async () => {
      const { body } = await during(bob, () => setData(bob, 'account_data/a', { now: true }));
      expect(body.account_data?.events).toEqual([{ type: 'a', content: { now: true } }]);
    });

    it('a waiting client is not notified of invisible events, and receives an empty response at its timeout', async () => {
      const filter = JSON.stringify({ room: { timeline: { types: ['x'] } } });
      const since = (await sync(bob, { filter })).next_batch;
      const [{ status, body }] = await Promise.all([
        request(bob, { since, filter, timeout: 300 }),
        sendMessage(alice, roomId, 'unheard'),
      ]);
      expect(status).toBe(200);
      expect(body.rooms).toBeUndefined();
    });

    it('a waiting client is refused when its account is deactivated or locked', async () => {
      const user = await world.user();
      const reply = await during(user, () =>
        world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body: { locked: true } }),
      );
      expect(reply).toMatchObject(refusal(401, 'M_USER_LOCKED'));
    });

    it.each([
      ['the account is deactivated', (user: Actor) => path`/_service/admin/v1/deactivate/${user.userId}`],
      [
        'the device is deleted',
        (user: Actor) => path`/_service/admin/v2/users/${user.userId}/delete_devices`,
      ],
    ])('a waiting client is refused when %s', async (_, target) => {
      const user = await world.user();
      const body = { devices: [user.deviceId] };
      const reply = await during(user, () => world.admin.post(target(user), { body }));
      expect(reply).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
    });

    it('a waiting client is refused after a logout', async () => {
      const user = await world.user();
      expect(await during(user, () => user.post(`${V3}/logout`))).toMatchObject(
        refusal(401, 'M_UNKNOWN_TOKEN'),
      );
    });

    it('with more requests than a device may have is answered on the oldest, with nothing', async () => {
      const since = await tokenOf(bob);
      // Each process that serves them admits ten.
      const polls = Array.from({ length: 21 }, () => request(bob, { since, timeout: LONG_MS }));
      const first = await Promise.race(polls);
      expect(first).toMatchObject({ status: 200, body: { next_batch: since } });
      expect(first.body.rooms).toBeUndefined();
      await sendMessage(alice, roomId, 'to the newest');
      const answers = await Promise.all(polls);
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const notified = answers.filter(({ body }) => body.rooms !== undefined);
      expect(notified.length).toBeGreaterThanOrEqual(10);
    });

    it('does not delay other clients', async () => {
      const since = await tokenOf(bob);
      const polls = Array.from({ length: 50 }, () => request(bob, { since, timeout: LONG_MS }));
      expect((await request(alice)).status).toBe(200);
      await sendMessage(alice, roomId, 'all of you');
      for (const { status } of await Promise.all(polls)) expect(status).toBe(200);
    });
  });

  it('a token older than a month returns everything as new', async () => {
    if (!world.moveClock) return;
    const user = await world.user();
    const since = await tokenOf(user);
    world.moveClock(MONTH_MS);
    expect((await sync(user, { since })).account_data).toBeDefined();
  });

  it('clients miss no event and receive none twice under concurrent changes', async () => {
    const users = await Promise.all(['a', 'b', 'c'].map((name) => world.user(name)));
    const [host] = users as [Actor, ...Actor[]];
    const step = fc.record({
      user: fc.nat(2),
      does: fc.constantFrom('say', 'say', 'say', 'sync', 'rename', 'topic'),
      room: fc.nat(1),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 8 }),
        async (rounds) => {
          const rooms = [await room(host), await room(host)];
          const received = new Map(
            users.map((user) => [user, new Map(rooms.map((id) => [id, [] as string[]]))]),
          );
          const since = new Map<Actor, string>();
          const listen = async (user: Actor) => {
            const from = since.get(user);
            const filter = JSON.stringify({ room: { rooms, timeline: { limit: 100 } } });
            const { next_batch, rooms: news } = await sync(user, {
              filter,
              ...(from ? { since: from } : {}),
            });
            since.set(user, next_batch);
            for (const [id, { timeline, state }] of Object.entries(news?.join ?? {})) {
              expect(timeline.limited).toBe(false);
              expect(from ? state.events : []).toEqual([]);
              received
                .get(user)
                ?.get(id)
                ?.push(...idsOf(timeline.events));
            }
          };
          for (const user of users) {
            if (user !== host) await Promise.all(rooms.map((id) => act(user, id, 'join')));
          }
          for (const user of users) await listen(user);
          for (const round of rounds) {
            const syncing = new Set(
              round.filter(({ does }) => does === 'sync').map(({ user }) => users[user]),
            );
            await Promise.all([
              ...[...syncing].map((user) => listen(user as Actor)),
              ...round.map(({ user: index, does, room: n }) => {
                const user = users[index] as Actor;
                const id = rooms[n] as string;
                if (does === 'say') return sendMessage(user, id, 'x');
                if (does === 'topic')
                  return setState(host, id, 'm.room.topic', { topic: `${++transactions}` });
                const content = { membership: 'join', displayname: `${++transactions}` };
                return does === 'rename'
                  ? setState(user, id, 'm.room.member', content, user.userId)
                  : undefined;
              }),
            ]);
          }
          for (const user of users) await listen(user);
          for (const id of rooms) {
            const all = await host.get<{ chunk: ClientEvent[] }>(
              path`/_proto/client/v3/rooms/${id}/messages?dir=f&limit=1000`,
            );
            for (const user of users) expect(received.get(user)?.get(id)).toEqual(idsOf(all.body.chunk));
          }
        },
      ),
      { numRuns: 4 },
    );
  });
});
