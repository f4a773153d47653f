import { type Actor, path } from '@steward/testing';
import { beforeAll, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const CLIENT = '/_proto/client/v3';
const ADMIN = '/_service/admin/v1';
const REPORTS = `${ADMIN}/reports`;

interface Report {
  readonly id: string;
  readonly case_id: string;
  readonly state: string;
}

interface List {
  readonly reports: readonly Report[];
  readonly cases: readonly { readonly case_id: string; readonly report_count: number }[];
  readonly next_token?: string;
  readonly total: number;
  readonly counts: object;
}

interface Case {
  readonly case_id: string;
  readonly state: string;
  readonly etag: string;
}

chapter('The inbox of reports', (world) => {
  let room: string;
  let event: string;
  let sender: Actor;
  let reporters: readonly Actor[];
  beforeAll(async () => {
    sender = await world.user('sender');
    reporters = await Promise.all([world.user('first'), world.user('second')]);
    const body = { preset: 'public_chat', name: 'Raum' };
    room = (await sender.post<{ room_id: string }>(`${CLIENT}/createRoom`, { body })).body.room_id;
    for (const each of reporters) await each.post(path`/_proto/client/v3/join/${room}`, { body: {} });
    const to = path`/_proto/client/v3/rooms/${room}/send/m.room.message/${world.freshName('txn')}`;
    const message = { msgtype: 'm.text', body: 'Ünpleasant ☠' };
    event = (await sender.put<{ event_id: string }>(to, { body: message })).body.event_id;
    for (const each of reporters)
      await each.post(path`/_proto/client/v3/rooms/${room}/report/${event}`, { body: { reason: 'bad' } });
    await reporters[0]?.post(path`/_proto/client/v3/rooms/${room}/report`, { body: { reason: 'worse' } });
  });

  const list = async (query: Readonly<Record<string, string | number>>) =>
    (await world.admin.get<List>(REPORTS, { query: { room_id: room, ...query } })).body;

  it('has all reports by pages, and one case for those of one event', async () => {
    const first = await list({ limit: 2, dir: 'f' });
    const rest = await list({ limit: 2, dir: 'f', from: first.next_token ?? '' });
    const reports = [...first.reports, ...rest.reports];
    expect(reports.map(({ id }) => id.replace(/\d+/, 'N'))).toEqual(['event-N', 'event-N', 'room-N']);
    expect(rest.next_token).toBeUndefined();
    expect(reports[1]?.case_id).toBe(reports[0]?.case_id);
    const counts = { open: 3, triaged: 0, escalated: 0, resolved: 0 };
    expect(first).toMatchObject({ total: 3, counts });
    const foreign = { query: { group: 'subject', from: first.next_token ?? '' } };
    expect(await world.admin.get(REPORTS, foreign)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    const grouped = await list({ group: 'subject', order_by: 'report_count' });
    expect(grouped.cases.map(({ report_count }) => report_count)).toEqual([2, 1]);
    const bad = await world.admin.get(REPORTS, { query: { from: 'x' } });
    expect(bad).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });

  it('says what was reported and why in many cases at once, the content with its own scope and on record', async () => {
    const { cases } = await list({ group: 'subject', order_by: 'urgency' });
    expect(cases.map(({ report_count }) => report_count)).toEqual([2, 1]);
    const [ofEvent = '', ofRoom = ''] = cases.map(({ case_id }) => case_id);
    const query = { case_id: [ofEvent, ofRoom, 'case-unknown'] };
    const overviews = await world.admin.get(`${ADMIN}/report_overviews`, { query });
    expect(overviews.body).toEqual({
      cases: {
        [ofEvent]: { reasons: ['bad'], user_cases: 1, user_rooms: 1 },
        [ofRoom]: { reasons: ['worse'], user_cases: null, user_rooms: null },
      },
    });
    const auditor = await world.user('auditor');
    await world.admin.put(path`/_service/admin/v1/users/${auditor.userId}/roles`, {
      body: { roles: ['auditor'] },
    });
    expect((await auditor.get(`${ADMIN}/report_overviews`, { query })).status).toBe(200);
    expect(await auditor.get(`${ADMIN}/report_excerpts`, { query })).toMatchObject(
      refusal(403, 'M_FORBIDDEN'),
    );
    const reader = await world.user('reader', { admin: true });
    const excerpts = await reader.get(`${ADMIN}/report_excerpts`, { query });
    expect(excerpts.body).toEqual({
      cases: {
        [ofEvent]: { text: 'Ünpleasant ☠', event_type: 'm.room.message', media_uri: null },
        [ofRoom]: { text: 'Raum', event_type: null, media_uri: null },
      },
    });
    const log = await world.admin.get<{ entries: { action: string; targets: string[] }[] }>(
      `${ADMIN}/audit_log`,
      { query: { actor: reader.userId } },
    );
    expect(log.body.entries).toMatchObject([{ action: 'moderation.get_case_excerpts', outcome: 'ok' }]);
    expect(log.body.entries[0]?.targets).toEqual(
      expect.arrayContaining([`report:${ofEvent}`, `report:${ofRoom}`, event, room]),
    );
    for (const of of ['report_overviews', 'report_excerpts']) {
      const many = { case_id: Array.from({ length: 101 }, (_, index) => `case-${index}`) };
      expect(await world.admin.get(`${ADMIN}/${of}`, { query: many })).toMatchObject(
        refusal(400, 'M_INVALID_PARAM'),
      );
    }
  });

  it('lets one of two moderators decide, and shows the other what holds', async () => {
    const [report] = (await list({ kind: 'event' })).reports;
    const at = path`/_service/admin/v1/reports/${report?.id ?? ''}`;
    const seen = await world.http<Case>('GET', at, { token: world.admin.token });
    expect(seen.headers.etag).toBe(seen.body.etag);
    const decide = (verb: string) =>
      world.http<Case>('POST', `${at}/${verb}`, {
        token: world.admin.token,
        headers: { 'if-match': seen.body.etag },
        body: {},
      });
    const answers = await Promise.all([decide('triage'), decide('escalate')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect(lost).toMatchObject(
      refusal(412, 'M_PRECONDITION_FAILED', {
        current: expect.objectContaining({ state: won?.body.state, etag: won?.headers.etag }),
      }),
    );
    expect((await list({ kind: 'event', state: won?.body.state ?? '' })).total).toBe(2);
  });

  it('keeps what was reported after its redaction, for those who may read it', async () => {
    await sender.put(path`/_proto/client/v3/rooms/${room}/redact/${event}/${world.freshName('txn')}`, {
      body: {},
    });
    const [report] = (await list({ kind: 'event' })).reports;
    const evidence = await world.admin.get<{ evidence: readonly object[] }>(
      path`/_service/admin/v1/reports/${report?.id ?? ''}/evidence`,
    );
    const content = {
      event: expect.objectContaining({ content: { msgtype: 'm.text', body: 'Ünpleasant ☠' } }),
    };
    expect(evidence.body.evidence).toMatchObject([{ content: { ...content, redacted: false } }]);
  });

  it('loses a report that is deleted by its documented path', async () => {
    const [report] = (await list({ kind: 'event' })).reports;
    const number = report?.id.replace('event-', '') ?? '';
    await world.admin.delete(path`/_service/admin/v1/event_reports/${number}`);
    expect((await list({ kind: 'event' })).total).toBe(1);
    const gone = await world.admin.get(path`/_service/admin/v1/reports/${report?.id ?? ''}`);
    expect(gone).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    expect((await list({ group: 'subject', kind: 'event' })).cases).toMatchObject([{ report_count: 1 }]);
  });
});
