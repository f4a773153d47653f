import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';

const forbidden = refusal(403, 'M_FORBIDDEN');
const notFound = refusal(404, 'M_NOT_FOUND');
const done = { status: 200, text: '{}' };

interface ClientEvent {
  readonly event_id: string;
  readonly type: string;
  readonly state_key?: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly unsigned: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

interface Page {
  readonly start: string;
  readonly end?: string;
  readonly chunk: readonly ClientEvent[];
  readonly state?: readonly ClientEvent[];
}

interface Context {
  readonly start: string;
  readonly end: string;
  readonly event: ClientEvent;
  readonly events_before: readonly ClientEvent[];
  readonly events_after: readonly ClientEvent[];
  readonly state: readonly ClientEvent[];
}

chapter('7.10 Reading rooms', (world) => {
  let alice: Actor;
  let bob: Actor;
  let stranger: Actor;
  /** A public room of five events, Bob's join and n1 to n4; Bob sent the even ones. */
  let shared: string;
  let sent: string[];
  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
    stranger = await world.user('stranger');
    shared = await room();
    await join(bob, shared);
    sent = [];
    for (const n of [1, 2, 3, 4]) sent.push(await send(n % 2 === 0 ? bob : alice, shared, { n }));
  });

  let transactions = 0;
  const room = async (body: Record<string, unknown> = { preset: 'public_chat' }) =>
    (await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const join = (user: Actor, roomId: string) => user.post(path`/_proto/client/v3/rooms/${roomId}/join`);
  const leave = (user: Actor, roomId: string) => user.post(path`/_proto/client/v3/rooms/${roomId}/leave`);
  const send = async (
    user: Actor,
    roomId: string,
    body: Record<string, unknown> = {},
    { type = 'm.n', txn = `t${++transactions}` } = {},
  ) =>
    (
      await user.put<{ event_id: string }>(path`/_proto/client/v3/rooms/${roomId}/send/${type}/${txn}`, {
        body,
      })
    ).body.event_id;
  const putState = async (user: Actor, roomId: string, type: string, body: unknown) =>
    (await user.put<{ event_id: string }>(path`/_proto/client/v3/rooms/${roomId}/state/${type}/`, { body }))
      .body.event_id;
  const messages = (user: Actor, roomId: string, query = '') =>
    user.get<Page>(`${path`/_proto/client/v3/rooms/${roomId}/messages`}?${query}`);
  const context = (user: Actor, roomId: string, eventId: string, query = '') =>
    user.get<Context>(`${path`/_proto/client/v3/rooms/${roomId}/context/${eventId}`}?${query}`);
  const filtered = (filter: unknown) => `filter=${encodeURIComponent(JSON.stringify(filter))}`;
  const ids = (events: readonly ClientEvent[]) => events.map(({ event_id }) => event_id);
  const numbers = (events: readonly ClientEvent[]) =>
    events.flatMap(({ content }) => (content.n === undefined ? [] : [content.n]));

  describe('messages', () => {
    it('in a public room: initial events and messages in either direction, on either path', async () => {
      const roomId = await room();
      await send(alice, roomId);
      const forward = await messages(alice, roomId, 'dir=f');
      const backward = await alice.get<Page>(path`/_matrix/client/r0/rooms/${roomId}/messages?dir=b`);
      expect(forward.body.chunk.map(({ type }) => type)).toEqual([
        'm.room.create',
        'm.room.member',
        'm.room.power_levels',
        'm.room.join_rules',
        'm.room.history_visibility',
        'm.n',
      ]);
      expect(ids(backward.body.chunk)).toEqual(ids(forward.body.chunk).reverse());
      expect(forward.body).not.toHaveProperty('state');
      expect(await messages(alice, roomId)).toMatchObject({ body: { start: forward.body.start } });
    });

    it('say which membership the reader had', async () => {
      const roomId = await room();
      await send(alice, roomId, { n: 1 });
      await join(bob, roomId);
      await send(alice, roomId, { n: 2 });
      await leave(bob, roomId);
      const memberships = async (user: Actor) =>
        (await messages(user, roomId)).body.chunk.map(({ unsigned }) => unsigned.membership);
      // Before the creator's own join there is the creation; a former member sees their own leaving as the last event.
      expect(await memberships(alice)).toEqual(['leave', ...Array.from({ length: 8 }, () => 'join')]);
      expect(await memberships(bob)).toEqual([
        ...Array.from({ length: 6 }, () => 'leave'),
        'join',
        'join',
        'leave',
      ]);
      const { event } = (await context(bob, roomId, ids((await messages(bob, roomId)).body.chunk)[7] ?? ''))
        .body;
      expect(event.unsigned.membership).toBe('join');
    });

    it.each(['b', 'f'])('messages of a room are paged to the end (%s)', async (dir) => {
      const all = (await messages(bob, shared, `dir=${dir}&limit=100`)).body;
      const paged: string[] = [];
      let page = (await messages(bob, shared, `dir=${dir}&limit=4`)).body;
      while (page.end !== undefined) {
        expect(page.chunk.length).toBeLessThanOrEqual(4);
        paged.push(...ids(page.chunk));
        const from = page.end;
        page = (await messages(bob, shared, `dir=${dir}&limit=4&from=${from}`)).body;
        expect(page.start).toBe(from);
      }
      expect(page.chunk).toEqual([]);
      expect(paged).toEqual(ids(all.chunk));
      expect(paged).toHaveLength(10);
    });

    it('have equal positions in either direction', async () => {
      const { end = '' } = (await messages(bob, shared, 'dir=b&limit=2')).body;
      expect(numbers((await messages(bob, shared, `dir=f&from=${end}`)).body.chunk)).toEqual([3, 4]);
      expect(numbers((await messages(bob, shared, `dir=b&from=${end}`)).body.chunk)).toEqual([2, 1]);
      expect(numbers((await messages(bob, shared, `dir=b&to=${end}`)).body.chunk)).toEqual([4, 3]);
      expect(numbers((await messages(bob, shared, `dir=f&to=${end}`)).body.chunk)).toEqual([1, 2]);
    });

    it.each([
      ['t1-0_0_0_0_0_0_0_0_0_0', 'f', 10],
      ['t1-0_0_0_0_0_0_0_0_0_0', 'b', 0],
      ['s0_0_0_0_0_0_0_0_0_0', 'f', 10],
      ['s0_0_0_0_0_0_0_0_0_0', 'b', 0],
      ['t9007199254740991-9007199254740991', 'b', 10],
    ])('from %s (%s)', async (token, dir, count) => {
      const { body } = await messages(bob, shared, `from=${token}&dir=${dir}`);
      expect(body.start).toBe(token);
      expect(body.chunk).toHaveLength(count);
      expect(body.end === undefined).toBe(count === 0);
    });

    it('treat END, and an empty token, as an absent one', async () => {
      const { body } = await messages(bob, shared, 'dir=b&limit=1');
      // Each answer has the age of the events at its own time.
      const chunk = body.chunk.map((event) => ({
        ...event,
        unsigned: { ...event.unsigned, age: expect.any(Number) },
      }));
      for (const token of ['from=END', 'from=', 'from=&to='])
        expect((await messages(bob, shared, `${token}&dir=b&limit=1`)).body).toEqual({ ...body, chunk });
    });

    it.each([
      ['from=x', 'M_UNKNOWN'],
      ['to=t1', 'M_UNKNOWN'],
      ['from=t1-99999999999999999999', 'M_UNKNOWN'],
      ['dir=x', 'M_INVALID_PARAM'],
      ['limit=x', 'M_INVALID_PARAM'],
      ['limit=-1', 'M_INVALID_PARAM'],
      ['filter=x', 'M_NOT_JSON'],
      ['filter=[]', 'M_NOT_JSON'],
      ['filter=%7B%22types%22%3A1%7D', 'M_BAD_JSON'],
    ])('messages of a room are refused for %s', async (query, errcode) => {
      expect(await messages(bob, shared, query)).toMatchObject(refusal(400, errcode));
    });

    it('messages of a room are filtered; an empty page is not the last', async () => {
      const resultOf = async (filter: unknown) =>
        numbers((await messages(bob, shared, `dir=f&${filtered(filter)}`)).body.chunk);
      expect(await resultOf({ types: ['m.*'], senders: [bob.userId] })).toEqual([2, 4]);
      expect(await resultOf({ not_senders: [bob.userId], not_types: ['m.room.*'] })).toEqual([1, 3]);
      const none = (await messages(bob, shared, filtered({ types: [] }))).body;
      expect(none).toMatchObject({ chunk: [], end: expect.any(String) });
      expect((await messages(bob, shared, 'limit=0')).body).not.toHaveProperty('end');
      const few = (await messages(bob, shared, `dir=f&limit=1&${filtered({ senders: [bob.userId] })}`)).body;
      const rest = (await messages(bob, shared, `dir=f&from=${few.end}`)).body;
      expect(few.chunk).toHaveLength(1);
      expect(numbers(rest.chunk)).toEqual([1, 2, 3, 4]);
    });

    it('messages of a room are returned by relation', async () => {
      const roomId = await room();
      const about = await send(alice, roomId);
      await send(alice, roomId);
      const relation = { 'm.relates_to': { rel_type: 'm.reference', event_id: about } };
      await send(alice, roomId, relation);
      const resultOf = async (filter: unknown) =>
        ids((await messages(alice, roomId, `dir=f&${filtered(filter)}`)).body.chunk);
      expect(await resultOf({ related_by_senders: [alice.userId] })).toEqual([about]);
      expect(await resultOf({ related_by_rel_types: ['m.reference'] })).toEqual([about]);
      expect(await resultOf({ related_by_rel_types: ['m.thread'] })).toEqual([]);
    });

    it('include the members who sent them, with lazy loading', async () => {
      const { body } = await messages(bob, shared, `dir=b&limit=1&${filtered({ lazy_load_members: true })}`);
      expect(body.state).toMatchObject([{ type: 'm.room.member', state_key: bob.userId }]);
    });

    it('have the federation format on request', async () => {
      const query = `dir=b&limit=1&${filtered({ event_format: 'federation' })}`;
      const [event] = (await messages(bob, shared, query)).body.chunk;
      expect(event).toMatchObject({ depth: 10, hashes: {}, prev_events: [expect.any(String)] });
    });

    it('messages of a room are returned up to the time the user left, and not to strangers', async () => {
      const roomId = await room();
      await join(bob, roomId);
      await send(alice, roomId, { n: 1 });
      await leave(bob, roomId);
      await send(alice, roomId, { n: 2 });
      const seen = (await messages(bob, roomId, 'dir=b')).body.chunk;
      expect(numbers(seen)).toEqual([1]);
      expect(seen[0]?.content).toEqual({ membership: 'leave' });
      expect(await messages(stranger, roomId)).toMatchObject(forbidden);
      expect(await messages(alice, '!unknownunknownunk:test')).toMatchObject(forbidden);
      await bob.post(path`/_proto/client/v3/rooms/${roomId}/forget`);
      expect(await messages(bob, roomId)).toMatchObject(forbidden);
    });

    it("messages of a room are rendered: redacted, with their edits, and with the reader's own transaction ids", async () => {
      const roomId = await room();
      await join(bob, roomId);
      const first = await putState(alice, roomId, 'm.room.topic', { topic: 'a' });
      await putState(alice, roomId, 'm.room.topic', { topic: 'b' });
      const target = await send(alice, roomId, { n: 1 }, { txn: 'mine' });
      const redaction = path`/_proto/client/v3/rooms/${roomId}/redact/${target}/r`;
      await alice.put(redaction, { body: { reason: 'why' } });
      const [redacting, redacted, topic] = (await messages(alice, roomId, 'dir=b&limit=3')).body.chunk;
      expect(redacting).toMatchObject({
        type: 'm.room.redaction',
        redacts: target,
        content: { redacts: target },
      });
      expect(redacted?.content).toEqual({});
      expect(redacted?.unsigned).toMatchObject({
        age: expect.any(Number),
        transaction_id: 'mine',
        redacted_because: { event_id: redacting?.event_id, content: { reason: 'why' } },
      });
      expect(topic?.unsigned).toMatchObject({ prev_content: { topic: 'a' }, replaces_state: first });
      for (const other of [bob, await world.login(alice)]) {
        const [, seen] = (await messages(other, roomId, 'dir=b&limit=2')).body.chunk;
        expect(seen?.unsigned).not.toHaveProperty('transaction_id');
      }
    });
  });

  describe('context', () => {
    it('has half of the events before and half after, and the state after the last', async () => {
      const roomId = await room();
      const all: string[] = [];
      for (const n of [1, 2, 3]) all.push(await send(alice, roomId, { n }));
      const topic = await putState(alice, roomId, 'm.room.topic', { topic: 'after' });
      const middle = all[1] ?? '';
      const { body } = await context(alice, roomId, middle, 'limit=3');
      expect(body.event.event_id).toBe(middle);
      expect(ids(body.events_before)).toEqual([all[0]]);
      expect(ids(body.events_after)).toEqual([all[2], topic]);
      expect(ids(body.state)).toContain(topic);
      const earlier = (await messages(alice, roomId, `dir=b&from=${body.start}&limit=1`)).body.chunk;
      expect(earlier).toMatchObject([{ type: 'm.room.history_visibility' }]);
      expect((await messages(alice, roomId, `dir=f&from=${body.end}`)).body.chunk).toEqual([]);
      const alone = (await context(alice, roomId, middle, 'limit=0')).body;
      expect(alone).toMatchObject({ event: { event_id: middle }, events_before: [], events_after: [] });
      expect(ids(alone.state)).not.toContain(topic);
      expect(ids((await messages(alice, roomId, `dir=f&limit=1&from=${alone.end}`)).body.chunk)).toEqual([
        all[2],
      ]);
      expect(ids((await messages(alice, roomId, `dir=b&limit=1&from=${alone.start}`)).body.chunk)).toEqual([
        all[0],
      ]);
    });

    it('context of an event is filtered, except for the event', async () => {
      const filter = { senders: [bob.userId], lazy_load_members: true };
      const { body } = await context(alice, shared, sent[2] ?? '', filtered(filter));
      expect(body.event.content).toEqual({ n: 3 });
      expect(numbers(body.events_before)).toEqual([2]);
      expect(numbers(body.events_after)).toEqual([4]);
      expect(body.state).toMatchObject([{ state_key: bob.userId }]);
    });

    it('context of an event is refused for an event that is not visible', async () => {
      const [known = ''] = sent;
      expect(await context(stranger, shared, known)).toMatchObject(notFound);
      expect(await context(alice, shared, '$unknown')).toMatchObject(notFound);
      expect(await context(alice, await room(), known)).toMatchObject(notFound);
      expect(await context(alice, '!unknownunknownunk:test', known)).toMatchObject(notFound);
      expect(await context(alice, shared, known, 'limit=-1')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
      expect(await context(alice, shared, known, 'filter=x')).toMatchObject(refusal(400, 'M_NOT_JSON'));
    });
  });

  describe('initialSync and events', () => {
    const initialSync = (user: Actor, roomId: string, query = '') =>
      user.get<{ messages: Page; state: readonly ClientEvent[] }>(
        `${path`/_proto/client/r0/rooms/${roomId}/initialSync`}?${query}`,
      );
    const peek = (user: Actor, query: string) =>
      user.get<Page>(`/_proto/client/r0/events?timeout=0&${query}`);

    it('return a room to its members', async () => {
      const { status, body } = await initialSync(bob, shared, 'limit=2');
      expect(status).toBe(200);
      expect(body).toEqual({
        room_id: shared,
        membership: 'join',
        messages: { chunk: expect.anything(), start: expect.any(String), end: expect.any(String) },
        state: expect.anything(),
        visibility: 'private',
        account_data: [],
        presence: [],
        receipts: [],
      });
      expect(numbers(body.messages.chunk)).toEqual([3, 4]);
      expect(body.state).toHaveLength(6);
      const quiet = (await peek(bob, `room_id=${shared}&from=${body.messages.end}`)).body;
      expect(quiet).toEqual({ chunk: [], start: body.messages.end, end: body.messages.end });
      expect(numbers((await peek(bob, `room_id=${shared}&from=${body.messages.start}`)).body.chunk)).toEqual([
        3, 4,
      ]);
      expect(await peek(bob, '')).toMatchObject({ status: 200, body: { chunk: [] } });
      expect(await peek(bob, 'from=x')).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });

    it('continue from the position of a sync', async () => {
      const roomId = await room();
      const { next_batch } = (await alice.get<{ next_batch: string }>(`${V3}/sync`)).body;
      const later = await send(alice, roomId, { n: 1 });
      const { start, chunk } = (await peek(alice, `room_id=${roomId}&from=${next_batch}`)).body;
      expect(start).toBe(next_batch);
      expect(chunk.map(({ event_id }) => event_id)).toEqual([later]);
    });

    it('initialSync and events are available to strangers only if history is world-readable', async () => {
      expect(await initialSync(stranger, shared)).toMatchObject(forbidden);
      expect(await peek(stranger, `room_id=${shared}`)).toMatchObject(forbidden);
      const content = { history_visibility: 'world_readable' };
      const open = await room({ initial_state: [{ type: 'm.room.history_visibility', content }] });
      const { status, body } = await initialSync(stranger, open);
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('membership');
      expect(await peek(stranger, `room_id=${open}`)).toMatchObject({ status: 200 });
    });
  });

  it('the members at a token', async () => {
    const roomId = await room();
    const { next_batch, rooms } = (
      await alice.get<{
        next_batch: string;
        rooms: { join: Record<string, { timeline: { prev_batch: string } }> };
      }>(`${V3}/sync`)
    ).body;
    await join(bob, roomId);
    const at = async (token = '') =>
      (
        await alice.get<Page>(`${path`/_proto/client/v3/rooms/${roomId}/members`}?at=${token}`)
      ).body.chunk.map(({ state_key }) => state_key);
    expect(await at(next_batch)).toEqual([alice.userId]);
    // The timeline was complete, so this token is before the creation.
    expect(await at(rooms.join[roomId]?.timeline.prev_batch)).toEqual([alice.userId]);
    expect((await at()).toSorted()).toEqual([alice.userId, bob.userId].toSorted());
  });

  it('the event nearest to a time', async () => {
    const find = (user: Actor, query: string) =>
      user.get(`${path`/_proto/client/v1/rooms/${shared}/timestamp_to_event`}?${query}`);
    const [created] = (await messages(alice, shared, 'dir=f&limit=1')).body.chunk;
    expect(await find(alice, 'ts=0')).toMatchObject({
      status: 200,
      body: { event_id: created?.event_id, origin_server_ts: created?.origin_server_ts },
    });
    expect(await find(alice, 'ts=9007199254740991&dir=b')).toMatchObject({ body: { event_id: sent[3] } });
    expect(await find(alice, 'ts=0&dir=b')).toMatchObject(notFound);
    expect(await find(alice, '')).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    expect(await find(alice, 'ts=-1')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    expect(await find(alice, 'ts=1&dir=x')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    expect(await find(stranger, 'ts=0')).toMatchObject(forbidden);
  });

  it.each(['nonsense', '!', '!no-server', '#alias:test', '@user:test'])(
    'a read of %j, which is not a room id, is refused',
    async (roomId) => {
      const at = (end: string) => `${path`/_proto/client/v3/rooms/${roomId}`}/${end}`;
      const event = { body: { body: 'x', msgtype: 'm.text' } };
      const reading = ['state', 'members', 'joined_members', 'messages', 'initialSync', 'aliases'];
      const answers = await Promise.all([
        ...[...reading, 'context/$e', 'event/$e', 'state/m.room.name'].map((end) => alice.get(at(end))),
        alice.put(at('send/m.room.message/txn'), event),
        alice.put(at('state/m.room.topic'), { body: { topic: 'x' } }),
        alice.put(at('redact/$e/txn'), { body: {} }),
        ...['join', 'leave', 'forget'].map((end) => alice.post(at(end))),
        ...['invite', 'kick', 'ban', 'unban'].map((end) =>
          alice.post(at(end), { body: { user_id: '@b:test' } }),
        ),
        alice.put(at(path`typing/${alice.userId}`), { body: { typing: true } }),
      ]);
      for (const answer of answers) expect(answer).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    },
  );

  it('a read with an invalid event id is refused', async () => {
    const at = (end: string) => `${path`/_proto/client/v3/rooms/${shared}`}/${end}`;
    for (const answer of [await alice.get(at('event/nonsense')), await alice.get(at('context/nonsense'))]) {
      expect(answer).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    }
    expect(await alice.put(at('redact/nonsense/txn'), { body: {} })).toMatchObject(
      refusal(400, 'M_INVALID_PARAM'),
    );
  });

  describe('typing notifications and receipts', () => {
    const receipt = (type: string, eventId: string, body?: unknown) =>
      bob.post(path`/_proto/client/v3/rooms/${shared}/receipt/${type}/${eventId}`, { body });
    const markers = (body: unknown) =>
      bob.post(path`/_proto/client/v3/rooms/${shared}/read_markers`, { body });
    const typing = (user: Actor, userId: string, body: unknown) =>
      user.put(path`/_proto/client/v3/rooms/${shared}/typing/${userId}`, { body });
    const presence = (userId: string) => path`/_proto/client/v3/presence/${userId}/status`;

    it('typing notifications and receipts are accepted', async () => {
      expect(await receipt('m.read', '$event')).toMatchObject(done);
      expect(await receipt('m.read.private', '$event', { thread_id: 'main' })).toMatchObject(done);
      expect(
        await markers({ 'm.fully_read': '$event', 'm.read': '$event', 'm.read.private': '$e' }),
      ).toMatchObject(done);
      expect(await typing(bob, bob.userId, { typing: true, timeout: 1 })).toMatchObject(done);
      expect(await bob.put(presence(bob.userId), { body: { presence: 'online' } })).toMatchObject(done);
      expect(await alice.get(presence(bob.userId))).toMatchObject({ body: { presence: 'offline' } });
    });

    it('typing notifications and receipts are refused if malformed', async () => {
      const invalid = refusal(400, 'M_INVALID_PARAM');
      expect(await receipt('m.seen', '$event')).toMatchObject(invalid);
      expect(await receipt('m.read', 'event')).toMatchObject(invalid);
      expect(await receipt('m.read', '$event', { thread_id: 1 })).toMatchObject(invalid);
      expect(await markers({ 'm.read': 1 })).toMatchObject(refusal(400, 'M_BAD_JSON'));
      expect(await markers({ 'm.fully_read': 'x' })).toMatchObject(invalid);
      expect(await typing(bob, alice.userId, { typing: true })).toMatchObject(forbidden);
      expect(await typing(stranger, stranger.userId, { typing: true })).toMatchObject(forbidden);
      expect(await typing(bob, bob.userId, {})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await typing(bob, bob.userId, { typing: 'yes' })).toMatchObject(refusal(400, 'M_BAD_JSON'));
      const away = { presence: 'away' };
      expect(await bob.put(presence(bob.userId), { body: away })).toMatchObject(refusal(400, 'M_BAD_JSON'));
      expect(await bob.put(presence(alice.userId), { body: { presence: 'online' } })).toMatchObject(
        forbidden,
      );
    });
  });
});
