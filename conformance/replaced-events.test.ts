import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';

const V3 = '/_proto/client/v3';

interface Event {
  readonly event_id?: string;
  readonly unsigned: Readonly<Record<string, unknown>>;
}

/** The room, and the events that replaced state from before a member joined. */
interface Replaced {
  readonly roomId: string;
  /** The topic that was set after the member joined. */
  readonly topic: string;
  /** The member event of the room's creator that was sent after the member joined. */
  readonly profile: string;
  /** The sync tokens of the readers from before these events. */
  readonly since: ReadonlyMap<Actor, string>;
}

type Read = (reader: Actor, room: Replaced) => Promise<unknown>;

const sync = async (reader: Actor, filter: object, query = ''): Promise<unknown> =>
  (await reader.get(`${V3}/sync?filter=${encodeURIComponent(JSON.stringify(filter))}${query}`)).body;
const of = (
  name: 'topic' | 'profile' | 'both',
  url: (room: Replaced) => string,
): readonly [typeof name, Read] => [name, async (reader, room) => (await reader.get(url(room))).body];

/** The ways in which a client reads events, each with the events that it yields. */
const PATHS: Readonly<Record<string, readonly ['topic' | 'profile' | 'both', Read]>> = {
  'the timeline of an initial sync': [
    'both',
    (reader) => sync(reader, { room: { timeline: { limit: 100 } } }),
  ],
  'the state of an initial sync': ['both', (reader) => sync(reader, { room: { timeline: { types: [] } } })],
  'the members of a sync that loads them lazily': [
    'profile',
    (reader) =>
      sync(reader, { room: { timeline: { types: ['m.marker'] }, state: { lazy_load_members: true } } }),
  ],
  'the timeline of an incremental sync': [
    'both',
    (reader, { since }) => sync(reader, {}, path`&since=${since.get(reader) ?? ''}`),
  ],
  'the state of an incremental sync': [
    'both',
    (reader, { since }) =>
      sync(reader, { room: { timeline: { types: [] } } }, path`&since=${since.get(reader) ?? ''}`),
  ],
  messages: of('both', ({ roomId }) => path`/_proto/client/v3/rooms/${roomId}/messages?dir=b&limit=100`),
  'the members of messages': of(
    'profile',
    ({ roomId }) =>
      path`/_proto/client/v3/rooms/${roomId}/messages?dir=b&limit=1&filter=${'{"lazy_load_members":true}'}`,
  ),
  'a single event': of(
    'topic',
    ({ roomId, topic }) => path`/_proto/client/v3/rooms/${roomId}/event/${topic}`,
  ),
  context: of(
    'topic',
    ({ roomId, topic }) => path`/_proto/client/v3/rooms/${roomId}/context/${topic}?limit=0`,
  ),
  'the events before in a context': of(
    'topic',
    ({ roomId, profile }) => path`/_proto/client/v3/rooms/${roomId}/context/${profile}?limit=4`,
  ),
  'the events after in a context': of(
    'profile',
    ({ roomId, topic }) => path`/_proto/client/v3/rooms/${roomId}/context/${topic}?limit=4`,
  ),
  'the state of a context': of(
    'both',
    ({ roomId, profile }) => path`/_proto/client/v3/rooms/${roomId}/context/${profile}?limit=0`,
  ),
  'the state': of('both', ({ roomId }) => path`/_proto/client/v3/rooms/${roomId}/state`),
  'a state event': of(
    'topic',
    ({ roomId }) => path`/_proto/client/v3/rooms/${roomId}/state/m.room.topic/?format=event`,
  ),
  'the members': of('profile', ({ roomId }) => path`/_proto/client/v3/rooms/${roomId}/members`),
  initialSync: of('both', ({ roomId }) => path`/_proto/client/v3/rooms/${roomId}/initialSync?limit=100`),
  'the events since a token': [
    'both',
    async (reader, { roomId, since }) =>
      (await reader.get(path`/_proto/client/v3/events?room_id=${roomId}&from=${since.get(reader) ?? ''}`))
        .body,
  ],
};

/** The ways in which administrators read events. */
const ADMIN_PATHS: Readonly<Record<string, (room: Replaced) => string>> = {
  messages: ({ roomId }) => path`/_service/admin/v1/rooms/${roomId}/messages?dir=b&limit=100`,
  context: ({ roomId, topic }) => path`/_service/admin/v1/rooms/${roomId}/context/${topic}?limit=0`,
  state: ({ roomId }) => path`/_service/admin/v1/rooms/${roomId}/state`,
};

/** All events of a response with some ids. */
function eventsOf(response: unknown, ids: readonly string[]): readonly Event[] {
  if (typeof response !== 'object' || response === null) return [];
  const { event_id: id } = response as Event;
  const inner = Object.values(response).flatMap((value) => eventsOf(value, ids));
  return id !== undefined && ids.includes(id) ? [response as Event, ...inner] : inner;
}

chapter('4.4 The content that a state event replaced', (world) => {
  let alice: Actor;
  let bob: Actor;
  beforeAll(async () => {
    alice = await world.user('replacing');
    bob = await world.user('newcomer');
  });

  const state = async (user: Actor, roomId: string, type: string, key: string, body: unknown) =>
    (
      await user.put<{ event_id: string }>(path`/_proto/client/v3/rooms/${roomId}/state/${type}/${key}`, {
        body,
      })
    ).body.event_id;
  const setTopic = (roomId: string, topic: string) => state(alice, roomId, 'm.room.topic', '', { topic });
  const setName = (roomId: string, displayname: string) =>
    state(alice, roomId, 'm.room.member', alice.userId, { membership: 'join', displayname });
  const token = async (user: Actor) => (await user.get<{ next_batch: string }>(`${V3}/sync`)).body.next_batch;

  /** A room whose creator replaced state after another member had joined. */
  const replaceIn = async (history_visibility: string): Promise<Replaced> => {
    const created = await alice.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: {
        preset: 'public_chat',
        topic: 'secret',
        initial_state: [{ type: 'm.room.history_visibility', content: { history_visibility } }],
      },
    });
    const roomId = created.body.room_id;
    await setName(roomId, 'Secret');
    await bob.post(path`/_proto/client/v3/rooms/${roomId}/join`);
    const since = new Map([
      [alice, await token(alice)],
      [bob, await token(bob)],
    ]);
    const topic = await setTopic(roomId, 'open');
    const profile = await setName(roomId, 'Open');
    await alice.put(path`/_proto/client/v3/rooms/${roomId}/send/m.marker/${roomId}`, { body: {} });
    return { roomId, topic, profile, since };
  };

  describe.each(['joined', 'shared'])('%s', (visibility) => {
    let room: Replaced;
    beforeAll(async () => {
      room = await replaceIn(visibility);
    });

    it.each(Object.entries(PATHS))('%s', async (_, [which, read]) => {
      const { topic, profile } = room;
      const ids = which === 'both' ? [topic, profile] : [room[which]];
      for (const reader of [alice, bob]) {
        const found = eventsOf(await read(reader, room), ids);
        expect(new Set(found.map(({ event_id }) => event_id))).toEqual(new Set(ids));
        const mayRead = reader === alice || visibility === 'shared';
        for (const { unsigned } of found) {
          const keys = Object.keys(unsigned).filter((key) => /^prev_|^replaces/.test(key));
          expect(keys).toEqual(mayRead ? ['prev_content', 'prev_sender', 'replaces_state'] : []);
        }
      }
    });

    it.each(Object.entries(ADMIN_PATHS))('an administrator sees it: %s', async (_, url) => {
      const response = (await world.admin.get(url(room))).body;
      const found = eventsOf(response, [room.topic]);
      expect(found.map(({ unsigned }) => unsigned)).toEqual(
        found.map(() =>
          expect.objectContaining({ prev_content: expect.objectContaining({ topic: 'secret' }) }),
        ),
      );
      expect(found.length).toBeGreaterThan(0);
    });
  });

  it('a long poll hides it', async () => {
    const { roomId } = await replaceIn('joined');
    await bob.post(path`/_proto/client/v3/rooms/${roomId}/leave`);
    await setTopic(roomId, 'secret again');
    await bob.post(path`/_proto/client/v3/rooms/${roomId}/join`);
    const since = await token(bob);
    const waiting = bob.get(path`/_proto/client/v3/sync?since=${since}&timeout=20000`);
    const topic = await setTopic(roomId, 'open again');
    const [event] = eventsOf((await waiting).body, [topic]);
    expect(Object.keys(event?.unsigned ?? {})).toEqual(['age', 'membership']);
    const later = await setTopic(roomId, 'open for long');
    const [visible] = eventsOf(await sync(bob, {}), [later]);
    expect(visible?.unsigned).toMatchObject({ prev_content: { topic: 'open again' }, replaces_state: topic });
  });

  it('the content that a state event replaced is shown in redacted form to those who joined later, if its sender was erased', async () => {
    const { roomId } = await replaceIn('shared');
    const writer = await world.user('erasedwriter');
    const reader = await world.user('laterreader');
    await writer.post(path`/_proto/client/v3/rooms/${roomId}/join`);
    const kick = { membership: 'leave', reason: 'x' };
    const kicked = await state(alice, roomId, 'm.room.member', writer.userId, kick);
    await reader.post(path`/_proto/client/v3/rooms/${roomId}/join`);
    const before = async (user: Actor) =>
      (await user.get<Event>(path`/_proto/client/v3/rooms/${roomId}/event/${kicked}`)).body.unsigned
        .prev_content;
    const whole = { membership: 'join', displayname: expect.stringContaining('erasedwriter') };
    expect(await before(reader)).toEqual(whole);
    await world.admin.post(path`/_service/admin/v1/deactivate/${writer.userId}`, { body: { erase: true } });
    expect(await before(reader)).toEqual({ membership: 'join' });
    expect(await before(alice)).toEqual(whole);
  });
});
