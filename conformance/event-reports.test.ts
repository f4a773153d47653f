import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter, oneProcessChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin/v1';
const V3 = '/_proto/client/v3';
const R0 = '/_proto/client/r0';

const notFound = refusal(404, 'M_NOT_FOUND');
const invalid = refusal(400, 'M_INVALID_PARAM');
const badJson = refusal(400, 'M_BAD_JSON');
const notJson = refusal(400, 'M_NOT_JSON');

interface Report {
  readonly id: number;
  readonly event_id: string;
  readonly [key: string]: unknown;
}

interface List {
  readonly event_reports: readonly Report[];
  readonly total: number;
  readonly next_token?: number;
}

chapter('9 Event reports', (world) => {
  let alice: Actor;
  let bob: Actor;
  /** A private room of both users, with a name and an alias. */
  let named: string;
  let alias: string;
  /** A private room of Alice alone, without name and alias. */
  let hidden: string;

  const create = async (by: Actor, body: Record<string, unknown> = {}) =>
    (await by.post<{ room_id: string }>(`${V3}/createRoom`, { body })).body.room_id;
  const sendMessage = async (by: Actor, room: string, body: string) => {
    const to = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName('txn')}`;
    return (await by.put<{ event_id: string }>(to, { body: { msgtype: 'm.text', body } })).body.event_id;
  };
  const report = (by: Actor, room: string, event: string, body: unknown = {}, prefix = V3) =>
    by.post(`${prefix}${path`/rooms/${room}/report/${event}`}`, { body });
  const list = async (query: Record<string, string> = {}) => {
    const reply = await world.admin.get<List>(`${ADMIN}/event_reports?${new URLSearchParams(query)}`);
    expect(reply.status).toBe(200);
    return reply.body;
  };
  const one = (id: number | string) => world.admin.get<Report>(`${ADMIN}/event_reports/${id}`);
  const remove = (id: number | string) => world.admin.delete(`${ADMIN}/event_reports/${id}`);
  /** Lets a new user report new messages; returns the user, the messages and the ids of the reports. */
  const several = async (count: number) => {
    const reporter = await world.user('reporter');
    const room = await create(reporter);
    const events: string[] = [];
    for (let n = 0; n < count; n++) {
      const event = await sendMessage(reporter, room, `message ${n}`);
      expect((await report(reporter, room, event)).status).toBe(200);
      events.push(event);
    }
    const { event_reports: made } = await list({ user_id: reporter.userId, dir: 'f' });
    expect(made.map(({ event_id }) => event_id)).toEqual(events);
    return { reporter, room, ids: made.map(({ id }) => id) };
  };

  beforeAll(async () => {
    alice = await world.user('alice');
    bob = await world.user('bob');
    const local = world.freshName('reported');
    alias = `#${local}:${world.serverName}`;
    named = await create(alice, { name: 'The name', room_alias_name: local, invite: [bob.userId] });
    await bob.post(`${V3}${path`/rooms/${named}/join`}`, { body: {} });
    hidden = await create(alice);
  });

  it('a report contains the details of its event and room', async () => {
    const event = await sendMessage(alice, named, 'Nasty');
    const made = { reason: 'It is nasty \u{1F612}', score: -100 };
    expect(await report(bob, named, event, made)).toMatchObject({ status: 200, body: {} });
    const listed = await list({ user_id: bob.userId });
    expect(listed).toEqual({
      event_reports: [
        {
          id: expect.any(Number),
          received_ts: expect.any(Number),
          room_id: named,
          name: 'The name',
          event_id: event,
          user_id: bob.userId,
          sender: alice.userId,
          canonical_alias: alias,
          ...made,
        },
      ],
      total: 1,
    });
    const [entry] = listed.event_reports;
    const single = await one(entry?.id ?? -1);
    expect(single.status).toBe(200);
    expect(single.body).toEqual({
      ...entry,
      event_json: {
        type: 'm.room.message',
        room_id: named,
        sender: alice.userId,
        content: { msgtype: 'm.text', body: 'Nasty' },
        auth_events: expect.any(Array),
        prev_events: expect.any(Array),
        depth: expect.any(Number),
        hashes: { sha256: expect.any(String) },
        signatures: expect.any(Object),
        origin_server_ts: expect.any(Number),
        unsigned: expect.any(Object),
      },
    });
  });

  it('every report of an event is kept, with null for absent fields', async () => {
    const reporter = await world.user('reporter');
    const room = await create(reporter);
    const event = await sendMessage(reporter, room, 'Mine');
    for (const prefix of [V3, R0]) expect((await report(reporter, room, event, {}, prefix)).status).toBe(200);
    const { event_reports: reports, total } = await list({ user_id: reporter.userId });
    expect(total).toBe(2);
    expect(reports).toMatchObject(
      Array(2).fill({ event_id: event, name: null, canonical_alias: null, reason: null, score: null }),
    );
    expect((await one(reports[0]?.id ?? -1)).body).toMatchObject({ reason: null, score: null });
  });

  describe('reporting', () => {
    it.each([
      ['an unknown event', () => [named, '$unknown']],
      ['an unknown room', async () => ['!unknown:test', await sendMessage(alice, named, 'x')]],
      ['an event of another room', async () => [named, await sendMessage(alice, hidden, 'x')]],
      ['an invisible event', async () => [hidden, await sendMessage(alice, hidden, 'x')]],
    ] as const)('of %s', async (_, target) => {
      const [room = '', event = ''] = await target();
      expect(await report(bob, room, event, { reason: 'x' })).toMatchObject(notFound);
    });

    it('reporting an event is open to former members, for events that they could see', async () => {
      const formerMember = await world.user('leaver');
      const room = await create(alice, { invite: [formerMember.userId] });
      await formerMember.post(`${V3}${path`/rooms/${room}/join`}`, { body: {} });
      const seen = await sendMessage(alice, room, 'before');
      await formerMember.post(`${V3}${path`/rooms/${room}/leave`}`, { body: {} });
      const unseen = await sendMessage(alice, room, 'after');
      expect((await report(formerMember, room, seen)).status).toBe(200);
      expect(await report(formerMember, room, unseen)).toMatchObject(notFound);
    });

    it.each([
      [{ reason: 5 }, badJson],
      [{ reason: null }, badJson],
      [{ score: '5' }, badJson],
      [{ score: 1.5 }, badJson],
      [{ score: null }, badJson],
      [[], badJson],
      [{ reason: 'x'.repeat(5_000) }, refusal(400, 'M_TOO_LARGE')],
    ])('refuses %j', async (body, refused) => {
      const event = await sendMessage(alice, named, 'x');
      const { total } = await list();
      expect(await report(bob, named, event, body)).toMatchObject(refused);
      expect((await list()).total).toBe(total);
    });

    it('requires a body', async () => {
      const target = `${V3}${path`/rooms/${named}/report/${await sendMessage(alice, named, 'x')}`}`;
      expect(await bob.post(target, { rawBody: '' })).toMatchObject(notJson);
    });

    it('accepts any text', async () => {
      const event = await sendMessage(alice, named, 'x');
      for (const reason of ['', '\u{10FFFF}\n']) {
        expect((await report(bob, named, event, { reason })).status).toBe(200);
        expect((await list({ limit: '1' })).event_reports[0]).toMatchObject({ reason });
      }
      for (const reason of ['a\0b', '\uD800']) {
        expect((await report(bob, named, event, { reason })).status).toBeLessThan(500);
      }
    });
  });

  describe('the list', () => {
    it('the list of event reports is ordered by time, newest first by default', async () => {
      const { reporter, ids } = await several(3);
      const of = async (query: Record<string, string>) =>
        (await list({ user_id: reporter.userId, ...query })).event_reports.map(({ id }) => id);
      expect(await of({ dir: 'f' })).toEqual(ids);
      expect(await of({ dir: 'b' })).toEqual(ids.toReversed());
      expect(await of({})).toEqual(ids.toReversed());
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    });

    it('the list of event reports is paged', async () => {
      const { reporter, ids } = await several(3);
      const of = async (from: number, limit: number) => {
        const query = { user_id: reporter.userId, dir: 'f', from: `${from}`, limit: `${limit}` };
        const { event_reports: reports, ...rest } = await list(query);
        return { ids: reports.map(({ id }) => id), ...rest };
      };
      expect(await of(0, 2)).toEqual({ ids: ids.slice(0, 2), next_token: 2, total: 3 });
      expect(await of(2, 2)).toEqual({ ids: ids.slice(2), total: 3 });
      expect(await of(0, 3)).toEqual({ ids, total: 3 });
      expect(await of(1, 0)).toEqual({ ids: [], next_token: 1, total: 3 });
      expect(await of(3, 2)).toEqual({ ids: [], total: 3 });
    });

    it('can be filtered by substrings of ids, literally and case-sensitively', async () => {
      const { reporter, room, ids } = await several(2);
      const total = async (query: Record<string, string>) => (await list(query)).total;
      expect(await total({ user_id: reporter.localpart })).toBe(ids.length);
      expect(await total({ user_id: reporter.localpart.toUpperCase() })).toBe(0);
      expect(await total({ user_id: reporter.localpart.replace('-', '_') })).toBe(0);
      expect(await total({ room_id: room.slice(2, 12) })).toBe(ids.length);
      expect(await total({ room_id: named, user_id: reporter.userId })).toBe(0);
      expect(await total({ room_id: room, user_id: reporter.userId })).toBe(ids.length);
      expect(await total({ user_id: '', room_id: '' })).toBe(await total({}));
      expect(await total({ event_sender_user_id: reporter.userId })).toBe(ids.length);
      expect(await total({ event_sender_user_id: reporter.localpart })).toBe(0);
    });

    it.each(['from=-1', 'from=x', 'from=', 'limit=-1', 'limit=1.5', 'dir=x', 'dir=F', 'dir='])(
      'refuses %s',
      async (query) => {
        expect(await world.admin.get(`${ADMIN}/event_reports?${query}`)).toMatchObject(invalid);
      },
    );

    it('omits reports of deleted rooms, which can only be deleted', async () => {
      const { reporter, room, ids } = await several(2);
      const before = (await list()).total;
      const gone = `${ADMIN}${path`/rooms/${room}`}`;
      expect((await world.admin.delete(gone, { body: { purge: true } })).status).toBe(200);
      expect((await list()).total).toBe(before - ids.length);
      expect(await list({ user_id: reporter.userId })).toEqual({ event_reports: [], total: 0 });
      for (const id of ids) {
        expect(await one(id)).toMatchObject(notFound);
        expect((await remove(id)).status).toBe(200);
        expect(await remove(id)).toMatchObject(notFound);
      }
    });

    it('accepts 64-bit numbers', async () => {
      const huge = '9223372036854775807';
      expect(await list({ from: huge, limit: huge })).toMatchObject({ event_reports: [] });
    });
  });

  describe('a single report', () => {
    it.each(['abc', '-1', '', '1.5'])('refuses the id %j', async (id) => {
      expect(await one(id)).toMatchObject(invalid);
      expect(await remove(id)).toMatchObject(invalid);
    });

    it.each(['0', '999999', '9223372036854775807'])('an event report is not found: %s', async (id) => {
      expect(await one(id)).toMatchObject(notFound);
      expect(await remove(id)).toMatchObject(notFound);
    });

    it('can be deleted once', async () => {
      const { reporter, ids } = await several(2);
      const [first = -1, second = -1] = ids;
      expect(await remove(first)).toMatchObject({ status: 200, body: {} });
      expect(await remove(first)).toMatchObject(notFound);
      expect(await one(first)).toMatchObject(notFound);
      const { event_reports: left, total } = await list({ user_id: reporter.userId });
      expect(left.map(({ id }) => id)).toEqual([second]);
      expect(total).toBe(1);
    });
  });
});

oneProcessChapter(
  '9 Event reports, limited',
  (world) => {
    it('reporting too often is refused', async () => {
      const user = await world.user();
      const target = `${V3}${path`/rooms/${'!x:test'}/report/${'$x'}`}`;
      expect(await user.post(target, { body: {} })).toMatchObject(notFound);
      expect(await user.post(target, { body: {} })).toMatchObject(notFound);
      expect(await user.post(target, { body: {} })).toMatchObject(refusal(429, 'M_LIMIT_EXCEEDED'));
    });
  },
  { config: { rate_limits: { enabled: true, reports: { per_second: 0.001, burst: 2 } } } },
);
