import { type Actor, path } from '@steward/testing';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { uploadFile } from './media-files.ts';
import { refusal } from './refusal.ts';

const V1 = '/_service/admin/v1';
const V3 = '/_proto/client/v3';

interface Ordered {
  readonly event_id: string;
  readonly sender: string;
  readonly changed: boolean;
  readonly task_id?: string;
}

interface Event {
  readonly content: Readonly<Record<string, unknown>>;
  readonly unsigned: Readonly<Record<string, unknown>>;
}

chapter('Acting in a room without being in it', (world) => {
  let alice: Actor;
  let bob: Actor;
  beforeAll(async () => {
    [alice, bob] = [await world.user('alice'), await world.user('bob')];
  });

  const create = async () => {
    const { body } = await alice.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat' },
    });
    await bob.post(`${V3}${path`/rooms/${body.room_id}/join`}`, { body: {} });
    return body.room_id;
  };
  const order = (roomId: string, verb: string, body: object) =>
    world.admin.post<Ordered>(`${V1}${path`/rooms/${roomId}/${verb}`}`, { body });

  it('redacts and bans in the name of a member; the audit log and administrators see who ordered it, members do not', async () => {
    const roomId = await create();
    const content = { msgtype: 'm.text', body: 'spam' };
    const message = `${V3}${path`/rooms/${roomId}/send/m.room.message/${world.freshName('txn')}`}`;
    const { event_id } = (await bob.put<{ event_id: string }>(message, { body: content })).body;
    expect(await order(roomId, 'redact', { event_id, reason: 'spam' })).toMatchObject({
      status: 200,
      body: { sender: alice.userId, changed: true },
    });
    const { status, body: ban } = await order(roomId, 'ban', { user_id: bob.userId, reason: 'spam' });
    expect({ status, ...ban }).toMatchObject({ status: 200, sender: alice.userId, changed: true });

    const shown = (await alice.get<Event>(`${V3}${path`/rooms/${roomId}/event/${ban.event_id}`}`)).body;
    expect(shown).toMatchObject({ sender: alice.userId, content: { membership: 'ban', reason: 'spam' } });
    expect(shown.unsigned).not.toHaveProperty(['steward.ordered_by']);
    const fetched = await world.admin.get<{ event: Event }>(`${V1}${path`/fetch_event/${ban.event_id}`}`);
    expect(fetched.body.event.unsigned).toMatchObject({ 'steward.ordered_by': world.admin.userId });
    const redacted = await alice.get<Event>(`${V3}${path`/rooms/${roomId}/event/${event_id}`}`);
    expect(redacted.body.content).toEqual({});
    await expect
      .poll(async () => (await world.admin.get(`${V1}/audit_log`, { query: { target: roomId } })).text, {
        timeout: 30_000,
      })
      .toContain('room.ban_user');
  });

  it('names the administrator who acts as another one', async () => {
    const roomId = await create();
    const other = await world.user('other-admin', { admin: true });
    const login = path`/users/${other.userId}/login`;
    const { access_token: token } = (
      await world.admin.post<{ access_token: string }>(`${V1}${login}`, { body: {} })
    ).body;
    const { event_id } = (
      await world
        .actor({ ...other, token })
        .post<Ordered>(`${V1}${path`/rooms/${roomId}/ban`}`, { body: { user_id: bob.userId } })
    ).body;
    const { event } = (await world.admin.get<{ event: Event }>(`${V1}${path`/fetch_event/${event_id}`}`))
      .body;
    expect(event.unsigned).toMatchObject({ 'steward.ordered_by': world.admin.userId });
  });

  it('bans once, however many administrators order it at once', async () => {
    const roomId = await create();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => order(roomId, 'ban', { user_id: bob.userId })),
    );
    expect(new Set(replies.map(({ body }) => body.event_id)).size).toBe(1);
    expect(replies.filter(({ body }) => body.changed)).toHaveLength(1);
  });

  it('does it for several users in a task, which says the outcome of each', async () => {
    const roomId = await create();
    const user_ids = [bob.userId, alice.userId];
    const { task_id: id = '' } = (await order(roomId, 'kick', { user_ids })).body;
    const read = () => world.admin.get<Readonly<Record<string, unknown>>>(`${V1}${path`/room_orders/${id}`}`);
    await expect.poll(async () => (await read()).body.status, { timeout: 30_000 }).toBe('complete');
    expect((await read()).body).toMatchObject({
      ...{ action: 'kick', room_id: roomId, processed: 2, total: 2, done: 1, refused: 1, unchanged: 0 },
      results: [
        { user_id: bob.userId, outcome: 'done', sender: alice.userId },
        { user_id: alice.userId, outcome: 'refused', errcode: 'M_UNKNOWN' },
      ],
    });
  });

  it('acting in a room without being in it is refused to moderators who would act against a server administrator, or as one', async () => {
    const root = await world.user('root', { admin: true });
    const moderator = await world.user('moderator');
    const roles = { body: { roles: ['moderator'] } };
    await world.admin.put(`${V1}${path`/users/${moderator.userId}/roles`}`, roles);
    const roomId = await create();
    await root.post(`${V3}${path`/rooms/${roomId}/join`}`, { body: {} });
    const message = `${V3}${path`/rooms/${roomId}/send/m.room.message/${world.freshName('txn')}`}`;
    const content = { msgtype: 'm.text', body: 'A decision' };
    const { event_id } = (await root.put<{ event_id: string }>(message, { body: content })).body;
    const bytes = world.freshName('content');
    const [shared, copy] = [await uploadFile(root, { bytes }), await uploadFile(bob, { bytes })];
    const at = path`/rooms/${roomId}`;
    const others = { user_ids: [bob.userId, root.userId] };
    const requests: readonly (readonly [verb: 'POST' | 'DELETE', at: string, body?: object])[] = [
      ['POST', `${V1}${at}/redact`, { event_id }],
      ['POST', `${V1}${path`/user/${root.userId}/redact`}`, { rooms: [] }],
      ['POST', `${V1}${at}/kick`, { user_id: root.userId }],
      ['POST', `${V1}${at}/ban`, others],
      ['POST', `${V1}${path`/users/${root.userId}/ban`}`, { rooms: 'all' }],
      ['DELETE', `/_service/admin/v2${at}`, { new_room_user_id: root.userId, message: 'From root' }],
      ['POST', `${V1}${path`/user/${root.userId}/media/quarantine`}`, {}],
      ['POST', `${V1}${path`/media/quarantine/${world.serverName}/${shared}`}`, {}],
      ['POST', `${V1}${path`/media/quarantine/${world.serverName}/${copy}`}`, {}],
      ['DELETE', `${V1}${path`/media/${world.serverName}/${shared}`}`],
    ];
    for (const [verb, where, body] of requests) {
      const reply = await world.http(verb, where, { token: moderator.token, ...(body ? { body } : {}) });
      expect(reply, where).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
    }
    const kicked = await moderator.post<Ordered>(`${V1}${at}/kick`, { body: { user_id: bob.userId } });
    expect(kicked).toMatchObject({ status: 200, body: { sender: alice.userId } });
    const shown = await alice.get<Event>(`${V3}${at}${path`/event/${event_id}`}`);
    expect(shown.body.content).toEqual(content);
  });

  it('acting in a room without being in it is refused where no local member may do it', async () => {
    const roomId = await create();
    await alice.post(`${V3}${path`/rooms/${roomId}/leave`}`, { body: {} });
    const reply = await order(roomId, 'ban', { user_id: world.userId('other') });
    expect(reply).toMatchObject(refusal(400, 'M_UNKNOWN'));
    expect(await order('!unknown:test', 'ban', { user_id: bob.userId })).toMatchObject(
      refusal(404, 'M_NOT_FOUND'),
    );
  });
});
