import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';

interface Shown {
  readonly event_id: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly unsigned: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly chunk: readonly Shown[];
  readonly next_batch?: string;
  readonly prev_batch?: string;
  readonly recursion_depth?: number;
}

chapter('12 Relations and threads', (world) => {
  let alice: Actor;
  let bob: Actor;
  let roomId: string;
  let transactions = 0;
  beforeAll(async () => {
    alice = await world.user();
    bob = await world.user();
    roomId = await room();
  });

  const room = async () => {
    const body = { preset: 'public_chat' };
    const created = (await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
    await bob.post(path`/_proto/client/v3/rooms/${created}/join`);
    return created;
  };
  const send = async (
    user: Actor,
    body: string,
    relation?: Record<string, unknown>,
    type = 'm.room.message',
  ) => {
    const reply = await user.put<{ event_id: string }>(
      path`/_proto/client/v3/rooms/${roomId}/send/${type}/${`t${++transactions}`}`,
      { body: { msgtype: 'm.text', body, ...(relation ? { 'm.relates_to': relation } : {}) } },
    );
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body.event_id;
  };
  const reply = (user: Actor, root: string, body = 'reply') =>
    send(user, body, { rel_type: 'm.thread', event_id: root });
  const react = (user: Actor, target: string, key: string) =>
    send(user, '', { rel_type: 'm.annotation', event_id: target, key }, 'm.reaction');
  const edit = async (user: Actor, target: string, body: string) => {
    const content = {
      msgtype: 'm.text',
      body: `* ${body}`,
      'm.new_content': { msgtype: 'm.text', body },
      'm.relates_to': { rel_type: 'm.replace', event_id: target },
    };
    const at = path`/_proto/client/v3/rooms/${roomId}/send/m.room.message/${`t${++transactions}`}`;
    return (await user.put<{ event_id: string }>(at, { body: content })).body.event_id;
  };
  const redact = (user: Actor, eventId: string) =>
    user.put(path`/_proto/client/v3/rooms/${roomId}/redact/${eventId}/${`t${++transactions}`}`, { body: {} });
  const event = async (user: Actor, eventId: string) =>
    (await user.get<Shown>(path`/_proto/client/v3/rooms/${roomId}/event/${eventId}`)).body;
  const bundle = async (user: Actor, eventId: string) => (await event(user, eventId)).unsigned['m.relations'];
  const relations = (user: Actor, eventId: string, rest = '') =>
    user.get<Page>(`${path`/_proto/client/v1/rooms/${roomId}/relations/${eventId}`}${rest}`);
  const threads = (user: Actor, query = '') =>
    user.get<Page>(`${path`/_proto/client/v1/rooms/${roomId}/threads`}?${query}`);
  const ids = ({ chunk }: Page) => chunk.map(({ event_id }) => event_id);

  describe('an event shows', () => {
    it('nothing while nothing relates to it', async () => {
      expect(await bundle(alice, await send(alice, 'alone'))).toBeUndefined();
    });

    it('its newest edit, by its sender, until that is redacted, or it is', async () => {
      const original = await send(alice, 'one');
      await edit(bob, original, 'forged');
      expect(await bundle(alice, original)).toBeUndefined();
      const first = await edit(alice, original, 'two');
      // Of edits of the same millisecond, the greatest id counts.
      world.moveClock?.(1);
      const second = await edit(alice, original, 'three');
      const replacement = {
        'm.replace': { event_id: second, content: { 'm.new_content': { body: 'three' } } },
      };
      expect(await bundle(bob, original)).toMatchObject(replacement);
      expect((await event(bob, original)).content.body).toBe('one');
      expect(await bundle(bob, second)).toBeUndefined();
      await redact(alice, second);
      expect(await bundle(bob, original)).toMatchObject({ 'm.replace': { event_id: first } });
      await redact(alice, original);
      expect(await bundle(bob, original)).toBeUndefined();
    });

    it('its thread, with the edit of its newest reply, and references', async () => {
      const root = await send(alice, 'root');
      await reply(alice, root);
      const newest = await reply(alice, root, 'old');
      const edited = await edit(alice, newest, 'new');
      const referring = await send(bob, 'see', { rel_type: 'm.reference', event_id: root });
      const thread = {
        latest_event: {
          event_id: newest,
          unsigned: { membership: 'join', 'm.relations': { 'm.replace': { event_id: edited } } },
        },
        count: 2,
        current_user_participated: true,
      };
      const shown = { 'm.thread': thread, 'm.reference': { chunk: [{ event_id: referring }] } };
      expect(await bundle(alice, root)).toMatchObject(shown);
      expect(await bundle(bob, root)).toMatchObject({ 'm.thread': { current_user_participated: false } });
      const messages = await alice.get<Page>(
        `${path`/_proto/client/v3/rooms/${roomId}/messages`}?dir=b&limit=20`,
      );
      const inPage = messages.body.chunk.find(({ event_id }) => event_id === root);
      expect(inPage?.unsigned['m.relations']).toMatchObject(shown);
      const { rooms } = (
        await alice.get<{ rooms: { join: Record<string, { timeline: { events: Shown[] } }> } }>(`${V3}/sync`)
      ).body;
      const inSync = rooms.join[roomId]?.timeline.events.find(({ event_id }) => event_id === root);
      expect(inSync?.unsigned['m.relations']).toMatchObject(shown);
      expect(inSync?.unsigned['m.relations']).not.toHaveProperty(['m.thread', 'latest_event', 'room_id']);

      await redact(alice, newest);
      expect(await bundle(alice, root)).toMatchObject({ 'm.thread': { count: 1 } });
      await redact(alice, root);
      expect(await bundle(alice, root)).toMatchObject({ 'm.thread': { count: 1 } });
    });

    it('no thread of ignored users', async () => {
      const reader = await world.user();
      await reader.post(path`/_proto/client/v3/rooms/${roomId}/join`);
      const root = await send(alice, 'root');
      const mine = await reply(alice, root);
      await reply(bob, root);
      const body = { ignored_users: { [bob.userId]: {} } };
      await reader.put(path`/_proto/client/v3/user/${reader.userId}/account_data/m.ignored_user_list`, {
        body,
      });
      await expect
        .poll(() => bundle(reader, root))
        .toMatchObject({ 'm.thread': { count: 1, latest_event: { event_id: mine } } });
      expect(ids((await relations(reader, root)).body)).toEqual([mine]);
    });
  });

  describe('relations', () => {
    let root: string;
    let replies: string[];
    let reaction: string;
    let indirect: string;
    beforeAll(async () => {
      root = await send(alice, 'root');
      replies = [];
      for (const user of [alice, bob, alice]) replies.push(await reply(user, root));
      reaction = await react(bob, root, '👍');
      indirect = await react(alice, replies[1] ?? '', '👎');
    });

    it('relations are listed by their type and that of the event, the newest first', async () => {
      const all = [reaction, ...replies.toReversed()];
      expect(ids((await relations(bob, root)).body)).toEqual(all);
      expect(ids((await relations(bob, root, '?dir=f')).body)).toEqual(all.toReversed());
      expect(ids((await relations(bob, root, '/m.thread')).body)).toEqual(replies.toReversed());
      expect(ids((await relations(bob, root, '/m.annotation/m.reaction')).body)).toEqual([reaction]);
      expect(ids((await relations(bob, root, '/m.annotation/m.room.message')).body)).toEqual([]);
      expect((await relations(bob, root)).body).not.toHaveProperty('recursion_depth');
    });

    it('can be followed', async () => {
      const { body } = await relations(bob, root, '?recurse=true');
      expect(ids(body)).toEqual([indirect, reaction, ...replies.toReversed()]);
      expect(body.recursion_depth).toBe(3);
    });

    it.each(['b', 'f'])('relations are paged to the end (%s)', async (dir) => {
      const all = ids((await relations(bob, root, `?dir=${dir}`)).body);
      const paged: string[] = [];
      let page = (await relations(bob, root, `?dir=${dir}&limit=3`)).body;
      expect(page).not.toHaveProperty('prev_batch');
      paged.push(...ids(page));
      while (page.next_batch !== undefined) {
        const from = page.next_batch;
        page = (await relations(bob, root, `?dir=${dir}&limit=3&from=${from}`)).body;
        expect(page.prev_batch).toBe(from);
        paged.push(...ids(page));
      }
      expect(paged).toEqual(all);
    });

    it('relations are gone with the redaction of the event that relates', async () => {
      const target = await send(alice, 'target');
      const gone = await react(alice, target, 'x');
      await redact(alice, gone);
      expect((await relations(alice, target)).body).toEqual({ chunk: [] });
    });

    it('relations are refused to those who may not see the event, and for an invalid token', async () => {
      const stranger = await world.user();
      const notFound = refusal(404, 'M_NOT_FOUND');
      expect(await relations(stranger, root)).toMatchObject(notFound);
      expect(await relations(alice, '$unknown')).toMatchObject(notFound);
      expect(await relations(alice, root, '?from=x')).toMatchObject(refusal(400, 'M_UNKNOWN'));
      expect(await relations(alice, root, '?dir=x')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });
  });

  it('threads are listed by their newest reply', async () => {
    roomId = await room();
    const roots: string[] = [];
    for (const n of [1, 2, 3]) {
      const root = await send(alice, `root ${n}`);
      await reply(n === 2 ? alice : bob, root);
      roots.push(root);
    }
    const [first = '', second = '', third = ''] = roots;
    await send(alice, 'no thread');
    await reply(bob, first);
    expect(ids((await threads(alice)).body)).toEqual([first, third, second]);
    expect(ids((await threads(bob, 'include=participated')).body)).toEqual([first, third]);
    const page = (await threads(alice, 'limit=2')).body;
    expect(ids(page)).toEqual([first, third]);
    expect(page.chunk[0]?.unsigned['m.relations']).toMatchObject({ 'm.thread': { count: 2 } });
    const rest = (await threads(alice, `limit=2&from=${page.next_batch}`)).body;
    expect(ids(rest)).toEqual([second]);
    expect(rest).not.toHaveProperty('next_batch');
    // A thread whose replies are all redacted is none.
    const [only] = (await relations(alice, second, '/m.thread')).body.chunk;
    await redact(alice, only?.event_id ?? '');
    expect(ids((await threads(alice)).body)).toEqual([first, third]);
    const stranger = await world.user();
    expect(await threads(stranger)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    expect(await threads(alice, 'include=some')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    expect(await threads(alice, 'limit=0')).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });
});
