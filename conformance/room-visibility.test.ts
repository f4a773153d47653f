import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V3 = '/_proto/client/v3';
const notFound = refusal(404, 'M_NOT_FOUND');

/** The events of a new public room. */
const CREATION_EVENTS = 5;

/** The membership of a user when an event was sent, and their membership afterwards. */
const VIEWERS = [
  'joined',
  'invited',
  'invitedThenJoined',
  'joinedLater',
  'leftBefore',
  'back',
  'never',
] as const;
type Viewer = (typeof VIEWERS)[number];

/** Who may read the event, by the room's history visibility at that time. */
const READERS: readonly (readonly [visibility: string, readers: readonly Viewer[]])[] = [
  ['world_readable', VIEWERS],
  ['shared', ['joined', 'invitedThenJoined', 'joinedLater', 'back']],
  ['unheard_of', ['joined', 'invitedThenJoined', 'joinedLater', 'back']],
  ['invited', ['joined', 'invitedThenJoined']],
  ['joined', ['joined']],
];

chapter('6.1 Visibility', (world) => {
  let alice: Actor;
  let viewers: Record<Viewer, Actor>;
  beforeAll(async () => {
    alice = await world.user('alice');
    const actors: Partial<Record<Viewer, Actor>> = {};
    for (const viewer of VIEWERS) actors[viewer] = await world.user(viewer);
    viewers = actors as Record<Viewer, Actor>;
  });

  let transactions = 0;
  const room = async (body: Record<string, unknown> = { preset: 'public_chat' }) =>
    (await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const ofVisibility = (history_visibility: string) =>
    room({
      preset: 'public_chat',
      initial_state: [{ type: 'm.room.history_visibility', content: { history_visibility } }],
    });
  const act = (user: Actor, roomId: string, action: string, body?: unknown) =>
    user.post(path`/_proto/client/v3/rooms/${roomId}/${action}`, { body });
  const join = (user: Actor, roomId: string) => act(user, roomId, 'join');
  const invite = (user: Actor, roomId: string) => act(alice, roomId, 'invite', { user_id: user.userId });
  const send = async (user: Actor, roomId: string) =>
    (
      await user.put<{ event_id: string }>(
        path`/_proto/client/v3/rooms/${roomId}/send/m.n/${`t${++transactions}`}`,
        { body: { n: 1 } },
      )
    ).body.event_id;
  const setVisibility = async (roomId: string, history_visibility: string) =>
    (
      await alice.put<{ event_id: string }>(
        path`/_proto/client/v3/rooms/${roomId}/state/m.room.history_visibility/`,
        { body: { history_visibility } },
      )
    ).body.event_id;
  const event = (user: Actor, roomId: string, eventId: string) =>
    user.get<{ content: unknown; unsigned: unknown }>(
      path`/_proto/client/v3/rooms/${roomId}/event/${eventId}`,
    );
  const context = (user: Actor, roomId: string, eventId: string) =>
    user.get(path`/_proto/client/v3/rooms/${roomId}/context/${eventId}`);
  const history = async (user: Actor, roomId: string) =>
    (
      await user.get<{ chunk: { event_id: string; content: unknown }[] }>(
        path`/_proto/client/v3/rooms/${roomId}/messages?dir=b&limit=100`,
      )
    ).body.chunk;

  /** Sends an event into a room whose members have the membership that their name indicates. */
  const sendToMembers = async (visibility: string) => {
    const roomId = await ofVisibility(visibility);
    const { joined, invited, invitedThenJoined, joinedLater, leftBefore, back } = viewers;
    await Promise.all([
      join(joined, roomId),
      join(leftBefore, roomId),
      join(back, roomId),
      invite(invited, roomId),
      invite(invitedThenJoined, roomId),
    ]);
    await Promise.all([act(leftBefore, roomId, 'leave'), act(back, roomId, 'leave')]);
    const eventId = await send(alice, roomId);
    await Promise.all([join(invitedThenJoined, roomId), join(joinedLater, roomId), join(back, roomId)]);
    return { roomId, eventId };
  };

  describe.each(READERS)('%s', (visibility, readers) => {
    it('a room is readable by permitted users, as a single event and in the history', async () => {
      const { roomId, eventId } = await sendToMembers(visibility);
      const read: Viewer[] = [];
      for (const viewer of VIEWERS) {
        const reply = await event(viewers[viewer], roomId, eventId);
        if (reply.status === 200) read.push(viewer);
        else expect(reply, viewer).toMatchObject(notFound);
        expect((await context(viewers[viewer], roomId, eventId)).status, viewer).toBe(reply.status);
      }
      expect(read).toEqual(readers);
      for (const viewer of ['joined', 'invitedThenJoined', 'joinedLater', 'back'] as const) {
        const seen = (await history(viewers[viewer], roomId)).some(({ event_id }) => event_id === eventId);
        expect(seen, viewer).toBe(readers.includes(viewer));
      }
    });
  });

  it('own membership changes are always visible', async () => {
    const roomId = await ofVisibility('joined');
    const { joined, leftBefore } = viewers;
    await join(leftBefore, roomId);
    await act(leftBefore, roomId, 'leave');
    await send(alice, roomId);
    await join(joined, roomId);
    // Without a visibility event, history is shared.
    const since = async (viewer: Actor) =>
      (await history(viewer, roomId)).slice(0, -CREATION_EVENTS).map(({ content }) => content);
    const joining = expect.objectContaining({ membership: 'join' });
    expect(await since(leftBefore)).toEqual([{ membership: 'leave' }, joining]);
    expect(await since(joined)).toEqual([joining]);
  });

  it('a change of the visibility is visible if either value permits it', async () => {
    const roomId = await ofVisibility('shared');
    const { joinedLater } = viewers;
    const closing = await setVisibility(roomId, 'joined');
    const between = await send(alice, roomId);
    const opening = await setVisibility(roomId, 'shared');
    await join(joinedLater, roomId);
    expect(await event(joinedLater, roomId, closing)).toMatchObject({ status: 200 });
    expect(await event(joinedLater, roomId, between)).toMatchObject(notFound);
    expect(await event(joinedLater, roomId, opening)).toMatchObject({ status: 200 });
    const seen = (await history(joinedLater, roomId)).map(({ event_id }) => event_id);
    expect(seen).toEqual(expect.arrayContaining([closing, opening]));
    expect(seen).not.toContain(between);
  });

  it('a forgotten room is not readable, nor is one that banned the user', async () => {
    const roomId = await room();
    const { joined, back } = viewers;
    await Promise.all([join(joined, roomId), join(back, roomId)]);
    const eventId = await send(alice, roomId);
    await act(joined, roomId, 'leave');
    expect(await event(joined, roomId, eventId)).toMatchObject({ status: 200 });
    await act(joined, roomId, 'forget');
    expect(await event(joined, roomId, eventId)).toMatchObject(notFound);
    await act(alice, roomId, 'ban', { user_id: back.userId });
    expect(await event(back, roomId, eventId)).toMatchObject(notFound);
  });

  it('events of erased users are complete only for users who were members then', async () => {
    const roomId = await room();
    const { joined, joinedLater } = viewers;
    const writer = await world.user('writer');
    await Promise.all([join(joined, roomId), join(writer, roomId)]);
    const eventId = await send(writer, roomId);
    await join(joinedLater, roomId);
    expect((await event(joinedLater, roomId, eventId)).body.content).toEqual({ n: 1 });
    await world.admin.post(path`/_service/admin/v1/deactivate/${writer.userId}`, { body: { erase: true } });
    const contentFor = async (viewer: Actor) => [
      (await event(viewer, roomId, eventId)).body.content,
      (await history(viewer, roomId)).find(({ event_id }) => event_id === eventId)?.content,
    ];
    expect(await contentFor(joined)).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await contentFor(joinedLater)).toEqual([{}, {}]);
  });
});
