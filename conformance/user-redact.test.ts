import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin/v1';
const V3 = '/_proto/client/v3';

const badJson = refusal(400, 'M_BAD_JSON');

interface Status {
  readonly status: string;
  readonly failed_redactions?: Readonly<Record<string, string>>;
}

chapter('13.1 Redacting the events of a user', (world) => {
  let alice: Actor;
  let spammer: Actor;

  beforeAll(async () => {
    alice = await world.user('alice');
  });

  const create = async (name = 'spammer') => {
    const made = await alice.post<{ room_id: string }>(`${V3}/createRoom`, {
      body: { preset: 'public_chat' },
    });
    const { room_id: room } = made.body;
    spammer = await world.user(name);
    await spammer.post(`${V3}${path`/rooms/${room}`}/join`, { body: {} });
    return room;
  };
  const sendMessage = async (by: Actor, room: string, type = 'm.room.message') => {
    const to = path`/_proto/client/v3/rooms/${room}/send/${type}/${world.freshName('txn')}`;
    const content = type === 'm.room.encrypted' ? { ciphertext: 'x' } : { msgtype: 'm.text', body: 'x' };
    const reply = await by.put<{ event_id: string }>(to, { body: content });
    expect(reply.status).toBe(200);
    return reply.body.event_id;
  };
  const redact = (userId: string, body?: unknown) =>
    world.admin.post<{ redact_id: string }>(
      `${ADMIN}${path`/user/${userId}`}/redact`,
      body === undefined ? {} : { body },
    );
  const statusOf = (id: string) => world.admin.get<Status>(`${ADMIN}${path`/user/redact_status/${id}`}`);
  const done = async (reply: Awaited<ReturnType<typeof redact>>) => {
    expect(reply).toMatchObject({ status: 200, body: { redact_id: expect.any(String) } });
    const { redact_id: id } = reply.body;
    await expect.poll(async () => (await statusOf(id)).body.status).toBe('complete');
    return (await statusOf(id)).body;
  };
  /** Who redacted an event, and the reason; undefined for an event that is not redacted. */
  const redactionOf = async (room: string, event: string) => {
    const at = `${V3}${path`/rooms/${room}`}/event/${encodeURIComponent(event)}`;
    const { body } = await alice.get<{ unsigned?: { redacted_because?: Record<string, unknown> } }>(at);
    return body.unsigned?.redacted_because;
  };

  it('redacts their messages in every room they are in, in their name', async () => {
    const room = await create();
    const [plain, secret] = [
      await sendMessage(spammer, room),
      await sendMessage(spammer, room, 'm.room.encrypted'),
    ];
    const [other, foreign] = [await sendMessage(spammer, room, 'm.other'), await sendMessage(alice, room)];
    const status = await done(await redact(spammer.userId, { rooms: [], reason: 'spam' }));
    expect(status).toEqual({ status: 'complete', failed_redactions: {} });
    for (const event of [plain, secret]) {
      expect(await redactionOf(room, event)).toMatchObject({
        sender: spammer.userId,
        content: { reason: 'spam' },
      });
    }
    for (const event of [other, foreign]) expect(await redactionOf(room, event)).toBeUndefined();
  });

  it('redacts the newest in the given rooms', async () => {
    const room = await create();
    const sent = [
      await sendMessage(spammer, room),
      await sendMessage(spammer, room),
      await sendMessage(spammer, room),
    ];
    await done(await redact(spammer.userId, { rooms: [room, '!unknown:test'], limit: 2 }));
    const redactions = await Promise.all(sent.map((event) => redactionOf(room, event)));
    expect(redactions.map((redaction) => redaction !== undefined)).toEqual([false, true, true]);
  });

  it('redacts only events within the time bounds', async () => {
    const room = await create();
    const sent = await sendMessage(spammer, room);
    await done(await redact(spammer.userId, { rooms: [room], before_ts: 1 }));
    expect(await redactionOf(room, sent)).toBeUndefined();
    await done(await redact(spammer.userId, { rooms: [room], after_ts: 1, before_ts: 9_000_000_000_000 }));
    expect(await redactionOf(room, sent)).toBeDefined();
  });

  it('redacts in the name of a member with power if the administrator is to be the sender, but is not there', async () => {
    const room = await create();
    const sent = await sendMessage(spammer, room);
    const status = await done(await redact(spammer.userId, { rooms: [room], use_admin: true }));
    expect(status.failed_redactions).toEqual({});
    expect(await redactionOf(room, sent)).toMatchObject({ sender: alice.userId });
  });

  it('redacts everything of a user who is suspended, banned from one room, and erased at once', async () => {
    const rooms = [await create()];
    const sent: [room: string, event: string][] = [];
    for (let n = 0; n < 2; n++) {
      const { body } = await alice.post<{ room_id: string }>(`${V3}/createRoom`, {
        body: { preset: 'public_chat' },
      });
      await spammer.post(`${V3}${path`/rooms/${body.room_id}`}/join`, { body: {} });
      rooms.push(body.room_id);
    }
    for (const room of rooms) for (let n = 0; n < 3; n++) sent.push([room, await sendMessage(spammer, room)]);
    const { userId } = spammer;
    await alice.post(`${V3}${path`/rooms/${rooms[0] ?? ''}`}/ban`, { body: { user_id: userId } });
    await world.admin.put(`${ADMIN}${path`/suspend/${userId}`}`, { body: { suspend: true } });
    const ordered = await redact(userId, { rooms: [] });
    const erased = await world.admin.post(`${ADMIN}${path`/deactivate/${userId}`}`, {
      body: { erase: true },
    });
    expect(erased.status).toBe(200);
    expect(await done(ordered)).toEqual({ status: 'complete', failed_redactions: {} });
    for (const [room, event] of sent)
      expect(await redactionOf(room, event)).toMatchObject({ sender: userId });
  });

  describe('refuses', () => {
    it('an invalid user id, before anything else', async () => {
      expect(await redact('nonsense', [])).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it.each([
      ['rooms', 'x'],
      ['rooms', [1]],
      ['reason', 1],
      ['limit', '1'],
      ['limit', 1.5],
      ['use_admin', 1],
      ['before_ts', '1'],
      ['after_ts', true],
    ])('%s of another type: %j', async (key, value) => {
      expect(await redact('@x:test', { rooms: [], [key]: value })).toMatchObject(badJson);
    });

    it('an absent body, absent rooms, and limits below 0', async () => {
      expect(await redact('@x:test')).toMatchObject(refusal(400, 'M_NOT_JSON'));
      expect(await redact('@x:test', {})).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      expect(await redact('@x:test', { rooms: [], limit: -1 })).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });

    it('callers who are not administrators, and unknown ids', async () => {
      expect(await alice.post(`${ADMIN}${path`/user/${alice.userId}`}/redact`, { body: {} })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
      expect(await statusOf('nonsense')).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    });
  });
});
