import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const EVENTS = '/_service/admin/v1/events';

interface Event {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly actor: string | null;
  readonly request_id: string | null;
  readonly targets: readonly string[];
}

interface Page {
  readonly events: readonly Event[];
  readonly next_after: number;
  readonly latest: number;
}

type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** How long events of earlier requests may take, in milliseconds. */
const PATIENCE = { timeout: 28_000, interval: 25 };

pairedChapter('The feed of events', (world) => {
  const list = async (query: Query = {}, actor: Pick<Actor, 'get'> = world.admin): Promise<Page> => {
    const reply = await actor.get<Page>(EVENTS, { query });
    expect(reply).toMatchObject({ status: 200 });
    return reply.body;
  };
  const latest = async () => (await list({ limit: 0 })).latest;
  let requests = 0;
  const newRequestId = () => `events-${world.freshName('r')}-${++requests}`;
  const put = async (userId: string, body: unknown) => {
    const id = newRequestId();
    const headers = { 'X-Request-Id': id };
    const { status } = await world.admin.put(path`/_service/admin/v2/users/${userId}`, { body, headers });
    expect([200, 201]).toContain(status);
    return id;
  };

  it('has each change once, in the order of the answers for each target', async () => {
    const after = await latest();
    const users = Array.from({ length: 4 }, () => `@${world.freshName('fed')}:test`);
    const orders = await Promise.all(
      users.map(async (user) => {
        const ids = [await put(user, { password: 'wonderland' })];
        for (let change = 0; change < 6; change++)
          ids.push(await put(user, { displayname: `Name ${change}` }));
        return ids;
      }),
    );
    for (const [index, user] of users.entries()) {
      const ofUser = async () => (await list({ after, target: user })).events;
      await expect.poll(async () => (await ofUser()).length, PATIENCE).toBe(7);
      const events = await ofUser();
      expect(events.map(({ request_id }) => request_id)).toEqual(orders[index]);
      expect(events.map(({ type }) => type)).toEqual([
        'account.created',
        ...Array(6).fill('account.changed'),
      ]);
    }
    // All of it, page by page: no position is missing, and no event is there twice.
    const found: Event[] = [];
    for (
      let page = await list({ after, limit: 10 });
      ;
      page = await list({ after: page.next_after, limit: 10 })
    ) {
      found.push(...page.events);
      if (page.next_after === page.latest) break;
    }
    expect(found.map(({ position }) => position)).toEqual(found.map((_, index) => after + index + 1));
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  it('has a change for a read that waits for its position, as has the audit log', async () => {
    const user = `@${world.freshName('fed')}:test`;
    const types = [];
    for (const body of [{ password: 'wonderland' }, { displayname: 'One' }, { displayname: 'Two' }]) {
      const changed = await world.admin.put(path`/_service/admin/v2/users/${user}`, { body });
      const headers = { 'X-Steward-Wait-For': String(changed.headers['x-steward-position']) };
      const page = await world.admin.get<Page>(EVENTS, { query: { target: user }, headers });
      const log = await world.admin.get('/_service/admin/v1/audit_log', {
        query: { target: user, limit: 1 },
        headers,
      });
      expect(log.body).toMatchObject({ entries: [{ action: 'user.put_user', outcome: 'ok' }] });
      types.push(page.body.events.map(({ type }) => type));
    }
    const created = 'account.created';
    const all = [created, 'account.changed', 'account.changed'];
    expect(types).toEqual([[created], all.slice(0, 2), all]);
    const refused = await world.admin.get(EVENTS, { headers: { 'X-Steward-Wait-For': '17' } });
    expect(refused).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
  });

  it('selects by type, target and actor', async () => {
    const after = await latest();
    const user = `@${world.freshName('fed')}:test`;
    await put(user, { password: 'wonderland' });
    await put(user, { locked: true });
    await expect.poll(async () => (await list({ after, target: user })).events.length, PATIENCE).toBe(2);
    const types = async (query: Query) =>
      (await list({ after, target: user, ...query })).events.map(({ type }) => type);
    const all = await types({});
    expect(await types({ type: 'account.*' })).toEqual(all);
    expect(await types({ type: ['room.blocked', all[0] ?? ''] })).toEqual(all.slice(0, 1));
    expect(await types({ type: 'room.*' })).toEqual([]);
    expect(await types({ actor: world.admin.userId })).toEqual(all);
    expect(await types({ actor: '' })).toEqual([]);
    expect(await list({ after, target: '@nobody:test' })).toMatchObject({
      events: [],
      next_after: await latest(),
    });
  });

  describe('a position', () => {
    it('a position that the feed does not have yet is refused, with those that it has', async () => {
      const reply = await world.admin.get(EVENTS, { query: { after: 2 ** 50 } });
      const extra = { oldest: expect.any(Number), latest: expect.any(Number) };
      expect(reply).toMatchObject(refusal(410, 'STEWARD_POSITION_GONE', extra));
      expect((await list({ after: Number((reply.body as { latest: number }).latest) })).events).toEqual([]);
    });

    it.each([
      ['after', '-1'],
      ['after', 'x'],
      ['after', '9'.repeat(30)],
      ['limit', '-1'],
      ['type', 'account'],
      ['type', '*'],
      ['type', 'account.Created'],
      ['type', 'account.unheard_of'],
    ])('or another parameter that is invalid is refused: %s=%s', async (name, value) => {
      const reply = await world.admin.get(EVENTS, { query: { [name]: value } });
      expect(reply).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });
  });
});
