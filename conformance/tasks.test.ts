import { type Actor, path, type Seed } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ADMIN = '/_service/admin';
const TASKS = `${ADMIN}/v1/tasks`;

const invalid = refusal(400, 'M_INVALID_PARAM');
const notFound = refusal(404, 'M_NOT_FOUND');
const tooLate = refusal(409, 'M_UNKNOWN');

interface Task {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly target: string;
  readonly requested_by: string | null;
  readonly created_ts: number;
  readonly action?: string;
  readonly [key: string]: unknown;
}

interface Page {
  readonly tasks: readonly Task[];
  readonly next_token?: string;
}

chapter('Tasks', (world) => {
  let boss: Actor;
  let seed: Seed;

  beforeAll(async () => {
    boss = await world.user('boss', { admin: true });
    if (!world.seed) throw new Error('Tasks that never end have to be put into the store');
    seed = world.seed;
  });

  const list = async (query: Readonly<Record<string, string>> | string = {}) => {
    const { status, body } = await boss.get<Page>(`${TASKS}?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    return body;
  };
  const get = (id: string) => boss.get<Task>(`${TASKS}${path`/${id}`}`);
  const cancel = (id: string) => boss.post<Task>(`${TASKS}${path`/${id}`}/cancel`);
  const idsOf = ({ tasks }: Page) => tasks.map(({ id }) => id);
  const create = async () => {
    const reply = await boss.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body: {} });
    return reply.body.room_id;
  };
  const remove = async (room: string) => {
    const reply = await boss.delete<{ delete_id: string }>(`${ADMIN}/v2${path`/rooms/${room}`}`, {
      body: { new_room_user_id: boss.userId },
    });
    expect(reply.status).toBe(200);
    return reply.body.delete_id;
  };
  const redact = async (by: Actor, userId: string) => {
    const reply = await by.post<{ redact_id: string }>(`${ADMIN}/v1${path`/user/${userId}`}/redact`, {
      body: { rooms: [] },
    });
    expect(reply.status).toBe(200);
    return reply.body.redact_id;
  };
  const ended = async (id: string) => {
    await expect.poll(async () => (await get(id)).body.state).toMatch(/^(complete|failed|cancelled)$/);
    return (await get(id)).body;
  };
  /** A task on a room, leased by a process that makes no progress. */
  const lease = async (kind: string, target: string, step = '') => {
    const id = world.freshName('held');
    await seed.task({ id, kind, target, requestedBy: '', step });
    return id;
  };

  it('report the request, the caller and the result', async () => {
    const room = await create();
    const id = await remove(room);
    const task = await ended(id);
    expect(task).toEqual({
      id,
      kind: 'room.delete',
      state: 'complete',
      target: room,
      requested_by: boss.userId,
      created_ts: expect.any(Number),
      started_ts: expect.any(Number),
      finished_ts: expect.any(Number),
      progress: { done: expect.any(Number), total: expect.any(Number) },
      attempt: 0,
      cancelling: false,
      error: null,
      result: { new_room_id: expect.stringMatching(/^!/) },
    });
    expect((await list({ target: room })).tasks).toEqual([task]);
  });

  it('tasks are listed page by page, newest first', async () => {
    const other = await world.user('other', { admin: true });
    for (let n = 0; n < 5; n++) await ended(await redact(other, `@user${n}:elsewhere`));
    const requested_by = other.userId;
    const all = await list({ requested_by });
    expect(all).not.toHaveProperty('next_token');
    expect(all.tasks).toHaveLength(5);
    const times = all.tasks.map(({ created_ts: created }) => created);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const seen: string[] = [];
    for (let from: string | undefined = ''; from !== undefined; ) {
      const page: Page = await list({ requested_by, limit: '2', ...(from === '' ? {} : { from }) });
      expect(page.tasks.length).toBeLessThanOrEqual(2);
      seen.push(...idsOf(page));
      from = page.next_token;
    }
    expect(seen).toEqual(idsOf(all));
    expect(await list({ requested_by, limit: '0' })).toEqual({ tasks: [] });
    expect(idsOf(await list({ requested_by, limit: '5' }))).toEqual(idsOf(all));
  });

  it('can be filtered by kind, state, target and time', async () => {
    const target = '!chosen:test';
    const leased = await lease('room.purge_history', target);
    const deletion = await boss.delete<{ delete_id: string }>(`${ADMIN}/v2${path`/rooms/${target}`}`, {
      body: { block: true },
    });
    const waiting = deletion.body.delete_id;
    const chosen = async (query: string) => idsOf(await list(`${new URLSearchParams({ target })}&${query}`));
    expect(await chosen('')).toEqual([waiting, leased]);
    expect(await chosen('kind=room.delete')).toEqual([waiting]);
    expect(await chosen('kind=room.delete&kind=room.purge_history')).toEqual([waiting, leased]);
    expect(await chosen('kind=x')).toEqual([]);
    expect(await chosen('state=active')).toEqual([leased]);
    expect(await chosen('state=scheduled&state=active')).toEqual([waiting, leased]);
    expect(await chosen('state=complete')).toEqual([]);
    // The leased task was created at the time 1.
    expect(await chosen('until_ts=1')).toEqual([leased]);
    expect(await chosen('from_ts=2')).toEqual([waiting]);
    expect(await chosen(`from_ts=1&until_ts=${Number.MAX_SAFE_INTEGER}`)).toEqual([waiting, leased]);
    expect((await get(leased)).body).toMatchObject({ requested_by: null, started_ts: 2, finished_ts: null });
    expect((await get(leased)).body).toMatchObject({ progress: { done: 0, total: null }, result: null });
  });

  it.each([
    'limit=-1',
    'limit=x',
    'state=x',
    'state=active&state=x',
    'from_ts=x',
    'from_ts=-1',
    'until_ts=1.5',
    'from=x',
    'from=-x',
    `from=${'9'.repeat(30)}-x`,
  ])('cannot be listed with the query %s', async (query) => {
    expect(await boss.get(`${TASKS}?${query}`)).toMatchObject(invalid);
  });

  it('tasks are not found by other ids', async () => {
    for (const id of ['x', '\u0000', 'ü'.repeat(300)]) {
      expect(await get(id)).toMatchObject(notFound);
      expect(await cancel(id)).toMatchObject(notFound);
    }
  });

  describe('when cancelled', () => {
    const cancelledBy = (actor: Actor) => `Cancelled by ${actor.userId}`;

    it('end immediately if they are queued, and change nothing', async () => {
      const room = await create();
      await lease('room.purge_history', room);
      const id = await remove(room);
      expect((await get(id)).body).toMatchObject({ state: 'scheduled', started_ts: null });
      for (let times = 0; times < 2; times++) {
        expect(await cancel(id)).toMatchObject({
          status: 200,
          body: { id, state: 'cancelled', cancelling: false, error: cancelledBy(boss), started_ts: null },
        });
      }
      const status = await boss.get(`${ADMIN}/v2/rooms${path`/delete_status/${id}`}`);
      expect(status.body).toMatchObject({ status: 'failed', error: cancelledBy(boss) });
      expect((await boss.get(`${ADMIN}/v1${path`/rooms/${room}`}`)).body).toMatchObject({
        joined_members: 1,
      });
    });

    it('stop at their next checkpoint if they are running', async () => {
      const id = await lease('room.redact_user', '@held:test');
      for (let times = 0; times < 2; times++) {
        expect(await cancel(id)).toMatchObject({ status: 200, body: { state: 'active', cancelling: true } });
      }
    });

    it('end the waiting requests', async () => {
      const room = await create();
      await lease('room.purge_history', room);
      const waiting = boss.delete(`${ADMIN}/v1${path`/rooms/${room}`}`, { body: {} });
      await expect
        .poll(async () => (await list({ target: room, kind: 'room.delete' })).tasks)
        .toHaveLength(1);
      const [task] = (await list({ target: room, kind: 'room.delete' })).tasks;
      await cancel(task?.id ?? '');
      expect(await waiting).toMatchObject({
        status: 400,
        body: { errcode: 'M_UNKNOWN', error: cancelledBy(boss) },
      });
    });

    it.each(['room.delete', 'room.purge_history'])('too late, %s continues', async (kind) => {
      const id = await lease(kind, `!${kind}:test`, 'purging');
      expect(await cancel(id)).toMatchObject(tooLate);
      expect((await get(id)).body).toMatchObject({ state: 'active', cancelling: false });
    });

    it('tasks are unchanged if they have already ended', async () => {
      const id = await redact(boss, '@ended:elsewhere');
      await ended(id);
      expect(await cancel(id)).toMatchObject(tooLate);
      expect((await get(id)).body).toMatchObject({ state: 'complete', error: null });
    });
  });

  it('tasks are visible to existing tools as scheduled tasks, in chronological order', async () => {
    const target = '!scheduled:test';
    const leased = await lease('room.purge_history', target);
    const { body } = await boss.delete<{ delete_id: string }>(`${ADMIN}/v2${path`/rooms/${target}`}`, {
      body: { block: true },
    });
    const { delete_id: waiting } = body;
    await cancel(waiting);
    const scheduled = async (query: string, prefix = ADMIN) => {
      const at = `${prefix}/v1/scheduled_tasks?${new URLSearchParams({ resource_id: target })}&${query}`;
      return (await boss.get<{ scheduled_tasks: Task[] }>(at)).body.scheduled_tasks;
    };
    expect(await scheduled('')).toEqual([
      {
        id: leased,
        action: 'room.purge_history',
        status: 'active',
        timestamp_ms: 1,
        resource_id: target,
        result: null,
        error: null,
      },
      {
        id: waiting,
        action: 'room.delete',
        status: 'cancelled',
        timestamp_ms: expect.any(Number),
        resource_id: target,
        result: { new_room_id: null },
        error: `Cancelled by ${boss.userId}`,
      },
    ]);
    const ids = async (query: string, prefix?: string) =>
      (await scheduled(query, prefix)).map(({ id }) => id);
    expect(await ids('status=cancelled')).toEqual([waiting]);
    expect(await ids('job_status=active')).toEqual([leased]);
    expect(await ids('action_name=room.delete')).toEqual([waiting]);
    expect(await ids('max_timestamp=1')).toEqual([leased]);
    expect(await ids('max_timestamp=0')).toEqual([]);

    const both = [leased, waiting];
    expect(await ids('status=cancelled&status=active')).toEqual(both);
    expect(await ids('job_status=cancelled&job_status=failed')).toEqual([waiting]);
    expect(await ids('status=active&job_status=cancelled')).toEqual(both);
    expect(await ids('action_name=room.delete&action_name=room.purge_history')).toEqual(both);
    expect(await ids('action_name=x&action_name=room.purge_history&status=active&status=cancelled')).toEqual([
      leased,
    ]);
    for (const none of ['', 'x', 'shutdown_and_purge_room'])
      expect(await ids(`action_name=${none}`)).toEqual([]);

    const original = '/_synapse/admin';
    expect((await scheduled('', original)).map(({ action }) => action)).toEqual([
      'room.purge_history',
      'shutdown_and_purge_room',
    ]);
    expect(await ids('action_name=shutdown_and_purge_room', original)).toEqual([waiting]);
    expect(await ids('action_name=room.delete', original)).toEqual([waiting]);
    expect(await ids('action_name=shutdown_and_purge_room&action_name=room.purge_history', original)).toEqual(
      both,
    );
  });

  it.each([
    'status=x',
    'status=active&status=x',
    'job_status=active&job_status=',
    'status=active&job_status=x',
  ])('tasks are not visible to existing tools with the query %s', async (query) => {
    for (const prefix of [ADMIN, '/_synapse/admin'])
      expect(await boss.get(`${prefix}/v1/scheduled_tasks?${query}`)).toMatchObject(invalid);
  });
});
