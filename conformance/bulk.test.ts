import { type Actor, path, type Reply } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const BULK = '/_service/admin/v1/bulk';
const DEACTIVATE = { method: 'POST', path: '/_service/admin/v1/deactivate/{user_id}' };

interface Bulk {
  readonly status: string;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly results: readonly { readonly id: string; readonly outcome: string; readonly errcode?: string }[];
  readonly next_token?: string;
}

chapter('Bulk', (world) => {
  const order = (body: object, token = world.admin.token): Promise<Reply<{ readonly task_id: string }>> =>
    world.http('POST', BULK, { token, body });
  const read = (id: string, query: Readonly<Record<string, string | number>> = {}) =>
    world.admin.get<Bulk>(`${BULK}/${encodeURIComponent(id)}`, { query });
  const ended = async ({ status, body }: Reply<{ readonly task_id: string }>): Promise<Bulk> => {
    expect(status).toBe(200);
    const { task_id: id } = body;
    const state = async () => (await read(id)).body.status;
    await expect.poll(state, { timeout: 30_000 }).toMatch(/^(complete|failed|cancelled)$/);
    return (await read(id)).body;
  };
  const users = (count: number): Promise<readonly Actor[]> =>
    Promise.all(Array.from({ length: count }, () => world.user()));
  const entriesOf = async (action: string, target: string) => {
    await world.whenIdle();
    const query = { action, target };
    const { body } = await world.admin.get<{ entries: readonly Record<string, unknown>[] }>(
      '/_service/admin/v1/audit_log',
      { query },
    );
    return body.entries;
  };

  it('a request is made for each user, recorded as one, and what fails for one does not stop the others', async () => {
    const chosen = await users(12);
    const missing = world.userId('missing');
    const ids = chosen.map(({ userId }) => userId);
    const listed = [...ids.slice(0, 5), missing, ...ids.slice(5), 'no-user-id', ids[0]];
    const reply = await order({ action: { ...DEACTIVATE, body: { erase: true } }, users: listed });
    const bulk = await ended(reply);
    expect(bulk).toMatchObject({ status: 'complete', total: 14, done: 12, failed: 2 });
    expect(bulk.results.map(({ id }) => id)).toEqual(listed.slice(0, -1));
    expect(bulk.results[5]).toMatchObject({ outcome: 'failed', status: 404, errcode: 'M_NOT_FOUND' });
    const first = await read(reply.body.task_id, { limit: 9 });
    const rest = await read(reply.body.task_id, { from: first.body.next_token ?? '', limit: 9 });
    expect([...first.body.results, ...rest.body.results]).toEqual(bulk.results);
    for (const id of ids.slice(0, 2)) {
      expect(await world.admin.get(path`/_service/admin/v2/users/${id}`)).toMatchObject({
        body: { deactivated: 1, erased: true },
      });
      expect(await entriesOf('user.deactivate', id)).toMatchObject([
        { actor: world.admin.userId, outcome: 'ok', status: 200 },
      ]);
    }
    const events = await world.admin.get('/_service/admin/v1/events', {
      query: { target: ids[0] ?? '', type: 'account.deactivated' },
    });
    expect(events.body).toMatchObject({ events: [{ actor: world.admin.userId }] });
  });

  it('the id of each user is filled in in the body, too', async () => {
    const [one, two] = await users(2);
    const action = {
      method: 'PUT',
      path: '/_service/admin/v2/users/{user_id}',
      body: { displayname: 'Was {user_id}' },
    };
    const ids = [one?.userId ?? '', two?.userId ?? ''];
    expect(await ended(await order({ action, users: ids }))).toMatchObject({ done: 2, failed: 0 });
    for (const id of ids)
      expect(await world.admin.get(path`/_service/admin/v2/users/${id}`)).toMatchObject({
        body: { displayname: `Was ${id}` },
      });
  });

  it('each request has the rights of who ordered it, as far as they are left', async () => {
    const [user, other] = await users(2);
    const ids = [user?.userId ?? '', world.admin.userId];
    const made = await world.admin.post<{ token: string; automation_token: { id: string } }>(
      '/_service/admin/v1/tokens',
      { body: { name: 'bulk', scopes: ['users:write', 'tasks:write', 'tasks:read'] } },
    );
    const { token } = made.body;
    const erase = { ...DEACTIVATE, body: { erase: true } };
    expect(await order({ action: erase, users: ids }, token)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    const bulk = await ended(await order({ action: DEACTIVATE, users: ids }, token));
    expect(bulk).toMatchObject({ done: 1, failed: 1 });
    expect(bulk.results[1]).toMatchObject({ errcode: 'M_FORBIDDEN' });
    expect(await order({ action: DEACTIVATE, users: ids }, other?.token)).toMatchObject(
      refusal(403, 'M_FORBIDDEN'),
    );
  });

  it('what can be known to be refused for all is refused at once', async () => {
    const ids = [world.userId('a')];
    const many = Array.from({ length: 101 }, (_, n) => world.userId(`many${n}`));
    const refused: readonly (readonly [body: object, status: number, errcode: string])[] = [
      [{ users: ids }, 400, 'M_MISSING_PARAM'],
      [{ action: DEACTIVATE, users: [] }, 400, 'M_INVALID_PARAM'],
      [{ action: DEACTIVATE, users: 'all' }, 400, 'M_INVALID_PARAM'],
      [{ action: DEACTIVATE, users: many }, 400, 'M_INVALID_PARAM'],
      [{ action: DEACTIVATE, users: many, confirm_count: 100 }, 400, 'M_INVALID_PARAM'],
      [{ action: { ...DEACTIVATE, method: 'GET' }, users: ids }, 400, 'M_INVALID_PARAM'],
      [
        { action: { ...DEACTIVATE, path: '/_service/admin/v1/nothing/{user_id}' }, users: ids },
        404,
        'M_UNRECOGNIZED',
      ],
      [
        { action: { ...DEACTIVATE, path: '/_service/admin/v1/deactivate/%zz{user_id}' }, users: ids },
        404,
        'M_UNRECOGNIZED',
      ],
      [{ action: { ...DEACTIVATE, path: '/_service/admin/v1/bulk' }, users: ids }, 400, 'M_INVALID_PARAM'],
      [{ action: { ...DEACTIVATE, body: { erase: 'yes' } }, users: ids }, 400, 'M_BAD_JSON'],
      [
        {
          action: {
            method: 'POST',
            path: '/_service/admin/v1/reset_password/{user_id}',
            body: { new_password: 'a secret' },
          },
          users: ids,
        },
        400,
        'M_UNKNOWN',
      ],
    ];
    for (const [body, status, errcode] of refused) {
      const reply = await order(body);
      expect(reply, JSON.stringify(body).slice(0, 200)).toMatchObject({ status, body: { errcode } });
    }
    expect(await read('unknown')).toMatchObject(refusal(404, 'M_NOT_FOUND'));
  });

  it('a task that is cancelled makes no further request', async () => {
    const ids = Array.from({ length: 3_000 }, (_, n) => world.userId(`nobody${n}`));
    const { body } = await order({ action: DEACTIVATE, users: ids, confirm_count: ids.length });
    const cancelled = await world.admin.post(path`/_service/admin/v1/tasks/${body.task_id}/cancel`);
    expect(cancelled).toMatchObject({ status: 200 });
    const bulk = await ended({ status: 200, body } as Reply<{ readonly task_id: string }>);
    expect(bulk.status).toBe('cancelled');
    expect(bulk.failed).toBeLessThan(ids.length);
  });

  it('a repeated order with the same key is the same task', async () => {
    const [user] = await users(1);
    const options = {
      token: world.admin.token,
      headers: { 'idempotency-key': world.freshName('key') },
      body: { action: DEACTIVATE, users: [user?.userId] },
    };
    const [one, two] = [await world.http('POST', BULK, options), await world.http('POST', BULK, options)];
    expect(two).toMatchObject({ status: 200, body: one.body });
    await ended(one as Reply<{ readonly task_id: string }>);
    expect(await entriesOf('user.deactivate', user?.userId ?? '')).toHaveLength(1);
  });
});
