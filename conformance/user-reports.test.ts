import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const REPORTS = '/_service/admin/v1/user_reports';
const V3 = '/_proto/client/v3';

const notFound = refusal(404, 'M_NOT_FOUND');
const invalid = refusal(400, 'M_INVALID_PARAM');
const badJson = refusal(400, 'M_BAD_JSON');
const missing = refusal(400, 'M_MISSING_PARAM');

interface List {
  readonly user_reports: readonly { readonly id: number; readonly [key: string]: unknown }[];
  readonly total: number;
  readonly next_token?: number;
}

chapter('13.6 User reports', (world) => {
  const reportUser = (by: Actor, userId: string, body: unknown = { reason: 'x' }) =>
    by.post(`${V3}${path`/users/${userId}/report`}`, { body });
  const reportRoom = (by: Actor, roomId: string, body: unknown = { reason: 'x' }) =>
    by.post(`${V3}${path`/rooms/${roomId}/report`}`, { body });
  const list = async (query: Record<string, string> = {}) => {
    const reply = await world.admin.get<List>(`${REPORTS}?${new URLSearchParams(query)}`);
    expect(reply.status).toBe(200);
    return reply.body;
  };

  it('user reports are ordered by time, paged, and filtered by substrings of ids', async () => {
    const [reporter, target] = [await world.user('reporter'), await world.user('target')];
    for (const reason of ['one', '', 'three']) {
      expect(await reportUser(reporter, target.userId, { reason })).toMatchObject({ status: 200, body: {} });
    }
    await reportUser(target, reporter.userId);
    const of = { user_id: reporter.localpart, target_user_id: target.localpart };
    const { user_reports: reports, ...rest } = await list(of);
    expect(rest).toEqual({ total: 3 });
    expect(reports.map(({ reason }) => reason)).toEqual(['three', '', 'one']);
    expect(reports[0]).toEqual({
      id: expect.any(Number),
      received_ts: expect.any(Number),
      target_user_id: target.userId,
      user_id: reporter.userId,
      reason: 'three',
    });
    const page = await list({ ...of, dir: 'f', from: '1', limit: '1' });
    expect(page).toMatchObject({ user_reports: [{ reason: '' }], total: 3, next_token: 2 });
    expect((await list({ target_user_id: target.localpart.toUpperCase() })).total).toBe(0);
    expect((await list({ target_user_id: reporter.localpart })).total).toBe(1);
  });

  it('user reports are read and deleted one by one', async () => {
    const [reporter, target] = [await world.user('reporter'), await world.user('target')];
    await reportUser(reporter, target.userId);
    const [report] = (await list({ user_id: reporter.userId })).user_reports;
    const one = `${REPORTS}/${report?.id}`;
    expect((await world.admin.get(one)).body).toEqual(report);
    expect(await world.admin.delete(one)).toMatchObject({ status: 200, body: {} });
    expect(await world.admin.delete(one)).toMatchObject(notFound);
    expect(await world.admin.get(one)).toMatchObject(notFound);
    for (const id of ['x', '-1', '']) {
      expect(await world.admin.get(`${REPORTS}/${id}`)).toMatchObject(invalid);
      expect(await world.admin.delete(`${REPORTS}/${id}`)).toMatchObject(invalid);
    }
  });

  it.each(['from=-1', 'limit=x', 'dir=x'])('cannot be listed with the query %s', async (query) => {
    expect(await world.admin.get(`${REPORTS}?${query}`)).toMatchObject(invalid);
  });

  describe('reporting', () => {
    it('does not reveal whether a user exists', async () => {
      const reporter = await world.user('reporter');
      for (const userId of ['@nobody:test', '@x:elsewhere']) {
        expect(await reportUser(reporter, userId)).toMatchObject({ status: 200, body: {} });
      }
      expect((await list({ user_id: reporter.userId })).total).toBe(0);
      expect(await reportUser(reporter, 'x')).toMatchObject(invalid);
    });

    it('a room requires that room', async () => {
      const reporter = await world.user('reporter');
      const { room_id: room } = (await reporter.post<{ room_id: string }>(`${V3}/createRoom`, { body: {} }))
        .body;
      expect(await reportRoom(reporter, room)).toMatchObject({ status: 200, body: {} });
      expect(await reportRoom(reporter, '!unknown:test')).toMatchObject(notFound);
      expect(await reportRoom(reporter, room, {})).toMatchObject(missing);
      expect(await reportRoom(reporter, room, { reason: 5 })).toMatchObject(badJson);
    });

    it('requires a reason', async () => {
      const reporter = await world.user('reporter');
      expect(await reportUser(reporter, reporter.userId, {})).toMatchObject(missing);
      expect(await reportUser(reporter, reporter.userId, { reason: null })).toMatchObject(badJson);
      const long = { reason: 'x'.repeat(5_000) };
      expect(await reportUser(reporter, reporter.userId, long)).toMatchObject(refusal(400, 'M_TOO_LARGE'));
    });
  });
});
