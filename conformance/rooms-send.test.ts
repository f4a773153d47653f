import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';
const EVENT_ID = expect.stringMatching(/^\$[\w-]{43}$/);
const TEXT = { msgtype: 'm.text', body: 'x' };

const forbidden = refusal(403, 'M_FORBIDDEN');
const notFound = refusal(404, 'M_NOT_FOUND');

interface ClientEvent {
  readonly event_id: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly unsigned: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

chapter('7.10 Events in rooms', (world) => {
  let alice: Actor;
  let bob: Actor;
  let shared: string;
  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
    shared = await room();
    await bob.post(path`/_proto/client/v3/rooms/${shared}/join`);
  });

  let transactions = 0;
  const room = async (body: Record<string, unknown> = { preset: 'public_chat' }) =>
    (await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const send = (
    user: Actor,
    roomId: string,
    body: unknown,
    type = 'm.room.message',
    txn = `t${++transactions}`,
  ) => user.put<{ event_id: string }>(path`/_proto/client/v3/rooms/${roomId}/send/${type}/${txn}`, { body });
  const statePath = (roomId: string, type: string, stateKey = '') =>
    path`/_proto/client/v3/rooms/${roomId}/state/${type}/${stateKey}`;
  const event = (user: Actor, roomId: string, eventId: string) =>
    user.get<ClientEvent>(path`/_proto/client/v3/rooms/${roomId}/event/${eventId}`);
  const redact = (user: Actor, roomId: string, eventId: string, body: unknown = {}) =>
    user.put<{ event_id: string }>(
      path`/_proto/client/v3/rooms/${roomId}/redact/${eventId}/${`t${++transactions}`}`,
      { body },
    );

  describe('sending', () => {
    it('adds an event that other members can read', async () => {
      const sent = await send(alice, shared, TEXT);
      expect(sent).toMatchObject({ status: 200, body: { event_id: EVENT_ID } });
      const read = await event(bob, shared, sent.body.event_id);
      expect(read.status).toBe(200);
      expect(read.body).toEqual({
        event_id: sent.body.event_id,
        room_id: shared,
        type: 'm.room.message',
        sender: alice.userId,
        content: TEXT,
        origin_server_ts: expect.any(Number),
        unsigned: { age: expect.any(Number), membership: 'join' },
      });
    });

    it('happens once for each transaction of a session and path', async () => {
      const [first, ...atOnce] = await Promise.all([
        send(alice, shared, TEXT, 'm.x', 'same'),
        send(alice, shared, TEXT, 'm.x', 'same'),
      ]);
      for (const reply of atOnce) expect(reply.body).toEqual(first.body);
      const again = await Promise.all([1, 2, 3].map((n) => send(alice, shared, { n }, 'm.x', 'same')));
      for (const reply of again) expect(reply.body).toEqual(first.body);
      const others = [
        await send(alice, shared, TEXT, 'm.y', 'same'),
        await send(await world.login(alice), shared, TEXT, 'm.x', 'same'),
        await send(bob, shared, TEXT, 'm.x', 'same'),
      ];
      expect(new Set([first, ...others].map(({ body }) => body.event_id)).size).toBe(4);
      expect((await event(alice, shared, first.body.event_id)).body.unsigned).toMatchObject({
        transaction_id: 'same',
      });
      expect((await event(bob, shared, first.body.event_id)).body.unsigned).not.toHaveProperty(
        'transaction_id',
      );
    });

    it('works concurrently for many users', async () => {
      const roomId = await room();
      const sent = await Promise.all(
        Array.from({ length: 100 }, (_, n) => send(alice, roomId, { n }, 'm.x')),
      );
      expect(new Set(sent.map(({ body }) => body.event_id)).size).toBe(100);
      expect(await event(alice, roomId, sent[99]?.body.event_id ?? '')).toMatchObject({
        body: { content: { n: 99 } },
      });
    });

    it.each([
      ['no body', '', 'm.x', 400, 'M_NOT_JSON'],
      ['no object', '[]', 'm.x', 400, 'M_BAD_JSON'],
      ['a message without body', '{"msgtype":"m.text"}', 'm.room.message', 400, 'M_UNKNOWN'],
      ['a name that is not state', '{"name":"x"}', 'm.room.name', 400, 'M_UNKNOWN'],
      ['a membership', '{"membership":"join"}', 'm.room.member', 400, 'M_UNKNOWN'],
      ['a fraction', '{"a":1.5}', 'm.x', 400, 'M_BAD_JSON'],
      ['too large a number', '{"a":9007199254740992}', 'm.x', 400, 'M_BAD_JSON'],
      ['mentions of another type', '{"m.mentions":[]}', 'm.x', 400, 'M_BAD_JSON'],
      [
        'a relation to nothing',
        '{"m.relates_to":{"rel_type":"m.thread","event_id":"$x"}}',
        'm.x',
        400,
        'M_UNKNOWN',
      ],
      ['an excessive size', JSON.stringify({ a: 'x'.repeat(65_536) }), 'm.x', 413, 'M_TOO_LARGE'],
      ['too long a type', '{}', 'x'.repeat(256), 413, 'M_TOO_LARGE'],
      ['a second creation', '{}', 'm.room.create', 403, 'M_FORBIDDEN'],
    ])('%s is refused', async (_, rawBody, type, status, errcode) => {
      const target = path`/_proto/client/v3/rooms/${shared}/send/${type}/${`t${++transactions}`}`;
      expect(await alice.put(target, { rawBody })).toMatchObject(refusal(status, errcode));
    });

    it('sending an event is refused outside the room', async () => {
      expect(await send(bob, await room(), TEXT)).toMatchObject(forbidden);
      expect(await send(bob, '!unknown:test', TEXT)).toMatchObject(forbidden);
    });

    it('accepts an annotation once', async () => {
      const { event_id } = (await send(alice, shared, TEXT)).body;
      const reaction = (key: string) => ({ 'm.relates_to': { rel_type: 'm.annotation', event_id, key } });
      expect(await send(bob, shared, reaction('a'), 'm.reaction')).toMatchObject({ status: 200 });
      expect(await send(bob, shared, reaction('b'), 'm.reaction')).toMatchObject({ status: 200 });
      expect(await send(alice, shared, reaction('a'), 'm.reaction')).toMatchObject({ status: 200 });
      expect(await send(bob, shared, reaction('a'), 'm.reaction')).toMatchObject(
        refusal(400, 'M_DUPLICATE_ANNOTATION'),
      );
    });

    it.each([
      '{"__proto__":{"a":1}}',
      '{"constructor":1,"":{"\\u0000":"\\u0000"}}',
      '{"a":"\\ud83d\\ude00 ü"}',
    ])('keeps content unchanged: %s', async (rawBody) => {
      const target = path`/_proto/client/v3/rooms/${shared}/send/m.x/${`t${++transactions}`}`;
      const { body } = await alice.put<{ event_id: string }>(target, { rawBody });
      const { text } = await event(bob, shared, body.event_id);
      expect(JSON.stringify(JSON.parse(text).content)).toBe(JSON.stringify(JSON.parse(rawBody)));
    });
  });

  describe('state', () => {
    it.each(['', '/'])('accepts an empty key, with a path that ends with %j', async (end) => {
      const roomId = await room();
      const target = path`/_proto/client/r0/rooms/${roomId}/state/m.room.name` + end;
      expect(await alice.get(target)).toMatchObject(notFound);
      expect(await alice.put(target, { body: { name: 'N' } })).toMatchObject({
        status: 200,
        body: { event_id: EVENT_ID },
      });
      expect(await alice.get(target)).toMatchObject({ status: 200, body: { name: 'N' } });
      expect((await alice.get(target)).text).toBe('{"name":"N"}');
      expect(await alice.get(`${target}?format=event`)).toMatchObject({
        body: { type: 'm.room.name', state_key: '', content: { name: 'N' }, room_id: roomId },
      });
      expect(await alice.get(`${target}?format=x`)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it('with a key ignores a repetition, and is replaced by a different event', async () => {
      const roomId = await room();
      const target = statePath(roomId, 'org.x', 'a/b key');
      const first = await alice.put<{ event_id: string }>(target, { body: { n: 1, m: { a: 1, b: 2 } } });
      const same = await alice.put(target, { body: { m: { b: 2, a: 1 }, n: 1 } });
      expect(same.body).toEqual(first.body);
      const next = await alice.put<{ event_id: string }>(target, { body: { n: 2 } });
      expect((await event(alice, roomId, next.body.event_id)).body.unsigned).toMatchObject({
        prev_content: { n: 1 },
        prev_sender: alice.userId,
        replaces_state: first.body.event_id,
      });
    });

    it('requires the power level', async () => {
      const name = statePath(shared, 'm.room.name');
      expect(await bob.put(name, { body: { name: 'N' } })).toMatchObject(forbidden);
      expect(await alice.put(name, { body: {} })).toMatchObject(refusal(400, 'M_UNKNOWN'));
      const other = statePath(shared, 'org.x', bob.userId);
      expect(await alice.put(other, { body: {} })).toMatchObject(forbidden);
      const levels = statePath(shared, 'm.room.power_levels');
      const { body } = await alice.get<Record<string, unknown>>(levels);
      expect(await alice.put(levels, { body: { ...body, users: { [alice.userId]: 101 } } })).toMatchObject(
        forbidden,
      );
      expect(await alice.put(levels, { body: { ...body, ban: '50' } })).toMatchObject(
        refusal(400, 'M_BAD_JSON'),
      );
    });

    it('accepts only aliases of the room', async () => {
      const name = world.freshName('named');
      const roomId = await room({ room_alias_name: name });
      const target = statePath(roomId, 'm.room.canonical_alias');
      const alias = `#${name}:test`;
      expect(await alice.put(target, { body: { alias: 'x' } })).toMatchObject(
        refusal(400, 'M_INVALID_PARAM'),
      );
      expect(await alice.put(target, { body: { alias, alt_aliases: ['#x:test'] } })).toMatchObject(
        refusal(400, 'M_BAD_ALIAS'),
      );
      expect(await alice.put(target, { body: { alias, alt_aliases: [alias] } })).toMatchObject({
        status: 200,
      });
      expect(await alice.put(statePath(shared, 'm.room.canonical_alias'), { body: { alias } })).toMatchObject(
        refusal(400, 'M_BAD_ALIAS'),
      );
    });
  });

  describe('redacting', () => {
    it("removes the content of the user's own event", async () => {
      const { event_id } = (await send(bob, shared, TEXT)).body;
      const redaction = await redact(bob, shared, event_id, { reason: 'typo' });
      expect(redaction).toMatchObject({ status: 200, body: { event_id: EVENT_ID } });
      const { body } = await event(alice, shared, event_id);
      expect(body.content).toEqual({});
      expect(body.unsigned).toMatchObject({
        redacted_by: redaction.body.event_id,
        redacted_because: { type: 'm.room.redaction', content: { reason: 'typo', redacts: event_id } },
      });
      expect((await event(alice, shared, redaction.body.event_id)).body).toMatchObject({ redacts: event_id });
    });

    it('removes the content of state', async () => {
      const roomId = await room({ name: 'N' });
      const target = statePath(roomId, 'm.room.name');
      const { body } = await alice.get<ClientEvent>(`${target}?format=event`);
      expect(await redact(alice, roomId, body.event_id)).toMatchObject({ status: 200 });
      expect((await alice.get(target)).text).toBe('{}');
      expect(await alice.put(target, { body: { name: 'N' } })).toMatchObject({ status: 200 });
      expect((await alice.get(target)).body).toEqual({ name: 'N' });
    });

    it('requires the permission', async () => {
      const { event_id } = (await send(alice, shared, TEXT)).body;
      expect(await redact(bob, shared, event_id)).toMatchObject(forbidden);
      expect(await redact(bob, shared, '$unknown')).toMatchObject(notFound);
      const elsewhere = (await send(alice, await room(), TEXT)).body.event_id;
      expect(await redact(alice, shared, elsewhere)).toMatchObject(refusal(400, 'M_UNKNOWN'));
      const create = await alice.get<ClientEvent>(`${statePath(shared, 'm.room.create')}?format=event`);
      expect(await redact(alice, shared, create.body.event_id)).toMatchObject(forbidden);
      expect(await redact(alice, shared, event_id, { redacts: '$other' })).toMatchObject(
        refusal(400, 'M_INVALID_PARAM'),
      );
      const v11 = await room({ room_version: '11' });
      const sent = (await send(alice, v11, TEXT)).body.event_id;
      const redaction = (await redact(alice, v11, sent)).body.event_id;
      expect((await event(alice, v11, redaction)).body).toMatchObject({
        redacts: sent,
        content: { redacts: sent },
      });
    });
  });

  describe('reading one event', () => {
    it('follows the history visibility', async () => {
      const roomId = await room();
      const visibility = (value: string) =>
        alice.put(statePath(roomId, 'm.room.history_visibility'), { body: { history_visibility: value } });
      const early = (await send(alice, roomId, TEXT)).body.event_id;
      await visibility('joined');
      const hidden = (await send(alice, roomId, TEXT)).body.event_id;
      expect(await event(bob, roomId, early)).toMatchObject(notFound);
      await bob.post(path`/_proto/client/v3/rooms/${roomId}/join`);
      expect(await event(bob, roomId, early)).toMatchObject({ status: 200 });
      expect(await event(bob, roomId, hidden)).toMatchObject(notFound);
      expect(await event(alice, roomId, hidden)).toMatchObject({ status: 200 });
      await bob.post(path`/_proto/client/v3/rooms/${roomId}/leave`);
      const late = (await send(alice, roomId, TEXT)).body.event_id;
      expect(await event(bob, roomId, early)).toMatchObject({ status: 200 });
      expect(await event(bob, roomId, late)).toMatchObject(notFound);
      expect(await event(alice, shared, early)).toMatchObject(notFound);
    });
  });

  describe('restricted accounts', () => {
    it('shadow-banned: requests succeed without effect', async () => {
      const user = await world.user();
      await user.post(path`/_proto/client/v3/rooms/${shared}/join`);
      await world.seed?.account(user.userId, { shadow_banned: true });
      const sent = await send(user, shared, TEXT, 'm.x', 'same');
      expect(sent).toMatchObject({ status: 200, body: { event_id: EVENT_ID } });
      expect((await send(user, shared, TEXT, 'm.x', 'same')).body).toEqual(sent.body);
      expect(await event(alice, shared, sent.body.event_id)).toMatchObject(notFound);
      expect(await send(user, await room(), TEXT)).toMatchObject({ status: 200 });
      expect(await user.put(statePath(shared, 'm.room.name'), { body: { name: 'N' } })).toMatchObject({
        status: 200,
        body: { event_id: EVENT_ID },
      });
      expect(await redact(user, shared, '$any')).toMatchObject({ status: 200 });
    });

    it('suspended: can redact their own events only', async () => {
      const user = await world.user();
      await user.post(path`/_proto/client/v3/rooms/${shared}/join`);
      const { event_id } = (await send(user, shared, TEXT)).body;
      await world.seed?.account(user.userId, { suspended: true });
      const suspended = refusal(403, 'M_USER_SUSPENDED');
      expect(await send(user, shared, TEXT)).toMatchObject(suspended);
      expect(await user.put(statePath(shared, 'org.x', user.userId), { body: {} })).toMatchObject(suspended);
      expect(await redact(user, shared, '$any')).toMatchObject(suspended);
      for (const [redacts, expected] of [
        ['$any', suspended],
        [event_id, { status: 200 }],
      ] as const)
        expect(await send(user, shared, { redacts }, 'm.room.redaction')).toMatchObject(expected);
      expect(await redact(user, shared, event_id)).toMatchObject({ status: 200 });
    });
  });
});
