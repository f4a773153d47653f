import { createHash, randomUUID } from 'node:crypto';
import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { downloadStatus, uploadFile, uriOf } from './media-files.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin/v1';
const HASHES = `${ADMIN}/media/hashes`;

interface Listed {
  readonly sha256: string;
  readonly action: string;
  readonly last_match_ts: number | null;
}

interface Page {
  readonly hashes: readonly Listed[];
  readonly next_token?: string;
  readonly total: number;
}

const hashOf = (bytes: string) => createHash('sha256').update(bytes).digest('hex');
const notListed = refusal(404, 'M_NOT_FOUND');

chapter('Known-bad content', (world) => {
  const events = async (target: string, type = 'media.upload_matched') => {
    const query = { type, target };
    return (await world.admin.get<{ events: readonly { data: object }[] }>(`${ADMIN}/events`, { query })).body
      .events;
  };

  it('known-bad content is refused or quarantined when it is uploaded, and recorded', async () => {
    const alice = await world.user('alice');
    const [refused, quarantined] = [randomUUID(), randomUUID()];
    const body = { sha256: [hashOf(refused).toUpperCase()], action: 'refuse', source: 'ours' };
    expect(await world.admin.post(HASHES, { body })).toMatchObject({ body: { added: 1, updated: 0 } });
    await world.admin.post(HASHES, { body: { sha256: [hashOf(quarantined)], note: 'bad' } });

    const answer = await alice.post('/_proto/media/v3/upload', { rawBody: refused });
    expect(answer).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    const medium = await uploadFile(alice, { bytes: quarantined });
    expect(await downloadStatus(world, alice, medium)).toBe(404);
    expect(await downloadStatus(world, alice, await uploadFile(alice))).toBe(200);

    const list = await world.admin.get<{ total: number }>(
      path`/_service/admin/v1/users/${alice.userId}/media`,
    );
    expect(list.body.total).toBe(2);
    const found = await world.admin.get<Listed>(`${HASHES}/${hashOf(refused)}`);
    expect(found.body).toMatchObject({ action: 'refuse', source: 'ours', note: null });
    expect(found.body.last_match_ts).toBeGreaterThan(0);
    await expect
      .poll(() => events(alice.userId), { timeout: 30_000 })
      .toMatchObject([
        { data: { outcome: 'refused', sha256: hashOf(refused), source: 'ours' } },
        { data: { outcome: 'quarantined', media_id: medium } },
      ]);
    expect(await events(uriOf(world, medium))).toHaveLength(1);

    const target = `${HASHES}/${hashOf(refused)}`;
    expect(await world.admin.delete(target)).toMatchObject({ body: { deleted: 1 } });
    expect(await world.admin.delete(target)).toMatchObject(notListed);
    expect(await world.admin.get(`${HASHES}/${'g'.repeat(64)}`)).toMatchObject(notListed);
    await uploadFile(alice, { bytes: refused });
  });

  it('opens one report a day of an uploader and a content, if the list says so', async () => {
    const carol = await world.user('carol');
    const bytes = randomUUID();
    const body = { sha256: [hashOf(bytes)], action: 'refuse', open_report: true, note: 'Why' };
    await world.admin.post(HASHES, { body });
    for (let n = 0; n < 2; n++)
      expect(await carol.post('/_proto/media/v3/upload', { rawBody: bytes })).toMatchObject({ status: 403 });
    const query = { kind: 'media', user: carol.userId };
    const filed = async () =>
      (await world.admin.get<{ reports: readonly { id: string }[] }>(`${ADMIN}/reports`, { query })).body
        .reports;
    await expect.poll(filed, { timeout: 30_000 }).toHaveLength(1);
    await world.whenIdle();
    const [report, ...others] = await filed();
    expect([report, others]).toMatchObject([{ kind: 'media', user_id: carol.userId, reporter: null }, []]);
    const evidence = await world.admin.get(path`/_service/admin/v1/reports/${report?.id ?? ''}/evidence`);
    expect(evidence.text).toContain(hashOf(bytes));
    expect(await events(carol.userId, 'report.created')).toMatchObject([
      { data: { report_id: report?.id, kind: 'media', user_id: carol.userId } },
    ]);
    const activity = path`/_service/admin/v1/users/${carol.userId}/activity`;
    const found = await world.admin.get(activity, { query: { type: 'report_received' } });
    expect(found.body).toMatchObject({ activity: [{ report_id: report?.id }] });
  });

  it('known-bad content is quarantined by a task if it was uploaded before it was listed', async () => {
    const bob = await world.user('bob');
    const bytes = randomUUID();
    const media = [await uploadFile(bob, { bytes }), await uploadFile(bob, { bytes })];
    const query = { format: 'ndjson', action: 'refuse', apply_to_existing: true };
    const rawBody = `${JSON.stringify({ sha256: hashOf(bytes), action: 'quarantine' })}\nnone`;
    const { body } = await world.admin.post<{ task_id: string }>(`${HASHES}/import`, { query, rawBody });
    expect(body).toMatchObject({ added: 1, failed: 1, problems: [{ line: 2 }] });
    await expect
      .poll(
        async () =>
          (await world.admin.get<{ state: string }>(path`/_service/admin/v1/tasks/${body.task_id}`)).body,
        { timeout: 30_000 },
      )
      .toMatchObject({ state: 'complete', progress: { done: 2 } });
    for (const medium of media) expect(await downloadStatus(world, bob, medium)).toBe(404);
  });

  it('known-bad content is listed page by page, and removed with its source', async () => {
    const source = randomUUID();
    const hashes = Array.from({ length: 5 }, (_, n) => hashOf(`${source}${n}`)).sort();
    const query = { source, format: 'csv' };
    const rawBody = ['sha256,action', ...hashes.map((hash, n) => `${hash},${n < 2 ? 'refuse' : ''}`)].join(
      '\n',
    );
    await world.admin.post(`${HASHES}/import`, { query, rawBody });
    const found: Listed[] = [];
    let from: string | undefined;
    do {
      const page = { source, limit: 2, ...(from === undefined ? {} : { from }) };
      const { body } = await world.admin.get<Page>(HASHES, { query: page });
      expect(body.total).toBe(5);
      found.push(...body.hashes);
      from = body.next_token;
    } while (from !== undefined);
    expect(found.map(({ sha256 }) => sha256)).toEqual(hashes);
    const refused = await world.admin.get<Page>(HASHES, { query: { source, action: 'refuse' } });
    expect(refused.body).toMatchObject({ total: 2, hashes: found.slice(0, 2) });
    expect(await world.admin.get(HASHES, { query: { from: 'x' } })).toMatchObject(
      refusal(400, 'M_INVALID_PARAM'),
    );
    expect(await world.admin.delete(HASHES)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
    expect(await world.admin.delete(HASHES, { query: { source } })).toMatchObject({ body: { deleted: 5 } });
    expect((await world.admin.get<Page>(HASHES, { query: { source } })).body.total).toBe(0);
  });

  it.each([
    [{}, 'M_MISSING_PARAM'],
    [{ sha256: [] }, 'M_INVALID_PARAM'],
    [{ sha256: ['ab'] }, 'M_INVALID_PARAM'],
    [{ sha256: 'a'.repeat(64) }, 'M_INVALID_PARAM'],
    [{ sha256: ['a'.repeat(64)], action: 'burn' }, 'M_INVALID_PARAM'],
    [{ sha256: ['a'.repeat(64)], source: 'x'.repeat(101) }, 'M_INVALID_PARAM'],
  ])('refuses %j', async (body, errcode) => {
    expect(await world.admin.post(HASHES, { body })).toMatchObject(refusal(400, errcode));
  });
});
