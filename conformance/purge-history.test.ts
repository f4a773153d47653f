import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin/v1';
const V3 = '/_proto/client/v3';

const badJson = refusal(400, 'M_BAD_JSON');
const notFound = refusal(404, 'M_NOT_FOUND');

/** A time after all events, in milliseconds since the Unix epoch. */
const LATER_MS = 9_000_000_000_000;

interface Messages {
  readonly chunk: readonly { readonly event_id: string; readonly type: string }[];
  readonly end?: string;
}

interface Sync {
  readonly rooms: {
    readonly join: Readonly<
      Record<
        string,
        { readonly timeline: { events: Messages['chunk'] }; state: { events: Messages['chunk'] } }
      >
    >;
  };
}

chapter('8 History purge', (world) => {
  let alice: Actor;

  beforeAll(async () => {
    alice = await world.user('alice');
    await create();
    // The test room does not have the first event of the server.
    world.moveClock?.(1);
  });

  /** A room with some messages. */
  const create = async () => {
    const made = await alice.post<{ room_id: string }>(`${V3}/createRoom`, { body: {} });
    const { room_id: room } = made.body;
    const sent: string[] = [];
    for (let n = 0; n < 4; n++) {
      const to = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName('txn')}`;
      const reply = await alice.put<{ event_id: string }>(to, { body: { msgtype: 'm.text', body: `${n}` } });
      sent.push(reply.body.event_id);
    }
    return { room, sent };
  };
  const purge = (room: string, body?: unknown, event?: string) =>
    world.admin.post<{ purge_id: string }>(
      `${ADMIN}${path`/purge_history/${room}`}${event === undefined ? '' : path`/${event}`}`,
      body === undefined ? {} : { body },
    );
  const statusOf = (id: string) => world.admin.get(`${ADMIN}${path`/purge_history_status/${id}`}`);
  const done = async (reply: Awaited<ReturnType<typeof purge>>) => {
    expect(reply).toMatchObject({ status: 200, body: { purge_id: expect.any(String) } });
    const { purge_id: id } = reply.body;
    await expect.poll(async () => (await statusOf(id)).body).toEqual({ status: 'complete' });
  };
  const listed = async (room: string, dir: 'b' | 'f' = 'b') => {
    const reply = await alice.get<Messages>(`${V3}${path`/rooms/${room}`}/messages?dir=${dir}&limit=100`);
    return reply.body.chunk.map(({ event_id }) => event_id);
  };
  const read = (room: string, event: string) =>
    alice.get(`${V3}${path`/rooms/${room}`}/event/${encodeURIComponent(event)}`);

  it('keeps the event and later ones', async () => {
    const { room, sent } = await create();
    const [first = '', second = '', third = '', last = ''] = sent;
    await done(await purge(room, { delete_local_events: true }, third));
    expect(await listed(room)).toEqual([last, third]);
    expect(await listed(room, 'f')).toEqual([third, last]);
    const all = await world.admin.get<Messages>(`${ADMIN}${path`/rooms/${room}`}/messages?dir=b&limit=100`);
    expect(all.body.chunk.map(({ event_id }) => event_id)).toEqual([last, third]);
    for (const gone of [first, second]) expect(await read(room, gone)).toMatchObject(notFound);
    expect((await read(room, third)).status).toBe(200);
    const state = await alice.get<unknown[]>(`${V3}${path`/rooms/${room}`}/state`);
    expect(state.body.length).toBeGreaterThan(4);
    const context = await alice.get<{ events_before: unknown[] }>(
      `${V3}${path`/rooms/${room}`}/context/${encodeURIComponent(third)}`,
    );
    expect(context.body.events_before).toEqual([]);
  });

  it('keeps the events of local users, outside the timeline', async () => {
    const { room, sent } = await create();
    await done(await purge(room, { purge_up_to_event_id: sent[2] }));
    expect(await listed(room)).toEqual([sent[3], sent[2]]);
    expect((await read(room, sent[0] ?? '')).status).toBe(200);
    // A later, smaller purge changes nothing.
    await done(await purge(room, { purge_up_to_event_id: sent[1], delete_local_events: 'yes' }));
    expect(await listed(room)).toEqual([sent[3], sent[2]]);
    expect(await read(room, sent[0] ?? '')).toMatchObject(notFound);
    expect((await read(room, sent[1] ?? '')).status).toBe(200);
  });

  it('accepts a time', async () => {
    const { room, sent } = await create();
    await done(await purge(room, { purge_up_to_ts: LATER_MS, purge_up_to_event_id: null }));
    expect(await listed(room)).toEqual([sent[3]]);
    expect(await purge(room, { purge_up_to_ts: 0 })).toMatchObject(notFound);
  });

  it('uses the event of the path, else that of the body, else the time', async () => {
    const { room, sent } = await create();
    const body = { purge_up_to_event_id: sent[3], purge_up_to_ts: 'nonsense' };
    await done(await purge(room, body, sent[1]));
    expect(await listed(room)).toHaveLength(3);
    await done(await purge(room, { ...body, purge_up_to_event_id: sent[2] }));
    expect(await listed(room)).toHaveLength(2);
  });

  it('removes purged events from syncs', async () => {
    const { room, sent } = await create();
    await done(await purge(room, undefined, sent[2]));
    const filter = JSON.stringify({ room: { rooms: [room], timeline: { limit: 50 } } });
    const sync = await alice.get<Sync>(`${V3}/sync?${new URLSearchParams({ filter })}`);
    const { timeline, state } = sync.body.rooms.join[room] ?? {};
    expect(timeline?.events.map(({ event_id }) => event_id)).toEqual([sent[2], sent[3]]);
    expect(state?.events.map(({ type }) => type)).toContain('m.room.create');
  });

  it('a read waits for a purge', async () => {
    const { room, sent } = await create();
    const reply = await purge(room, { purge_up_to_event_id: sent[3] });
    expect(await listed(room)).toEqual([sent[3]]);
    await done(reply);
  });

  it('runs several purges of one room one after the other', async () => {
    const { room, sent } = await create();
    const ids = [];
    for (const event of sent) ids.push(await purge(room, undefined, event));
    for (const reply of ids) await done(reply);
    expect(await listed(room)).toEqual([sent[3]]);
  });

  describe('refuses', () => {
    it('an event that is unknown or in another room', async () => {
      const { room, sent } = await create();
      expect(await purge(room, undefined, '$unknown')).toMatchObject(notFound);
      expect(await purge(room, undefined, '')).toMatchObject(notFound);
      expect(await purge(room, { purge_up_to_event_id: '$unknown' })).toMatchObject(notFound);
      expect(await purge('!unknown:test', undefined, sent[0])).toMatchObject(refusal(400, 'M_UNKNOWN'));
      expect(await purge('!unknown:test', { purge_up_to_ts: LATER_MS })).toMatchObject(notFound);
    });

    it('times that are not integers, and a request without a limit', async () => {
      const { room } = await create();
      for (const value of [null, true, '1', 1.5]) {
        expect(await purge(room, { purge_up_to_ts: value })).toMatchObject(badJson);
      }
      expect(await purge(room, {})).toMatchObject(badJson);
      expect(await purge(room)).toMatchObject(badJson);
      expect(await purge(room, [])).toMatchObject(badJson);
    });

    it('users who are not administrators', async () => {
      const by = await alice.post(`${ADMIN}${path`/purge_history/${'!x:test'}`}`, { body: {} });
      expect(by).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });
  });

  it('the status of other purges is not found', async () => {
    expect(await statusOf('nonsense')).toMatchObject(notFound);
    const { room } = await create();
    const reply = await world.admin.delete<{ delete_id: string }>(
      `/_service/admin/v2${path`/rooms/${room}`}`,
      { body: {} },
    );
    expect(await statusOf(reply.body.delete_id)).toMatchObject(notFound);
    await world.whenIdle();
    const { room: other, sent } = await create();
    const { purge_id: id } = (await purge(other, undefined, sent[0])).body;
    expect(await world.admin.get(`/_service/admin/v2/rooms${path`/delete_status/${id}`}`)).toMatchObject(
      notFound,
    );
  });
});
