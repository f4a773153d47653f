import { path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const V2 = '/_service/admin/v2/users';
const V3 = '/_service/admin/v3/users';
const SEARCH = '/_service/admin/v1/search_users/';

/** The common part of the ids of the accounts. */
const NAME = 'stateful';

interface Page {
  users: { name: string }[];
  total: number;
  next_token?: string;
}

chapter('13.1 The list of users by state', (world) => {
  /** The accounts by their distinguishing property. */
  const users = new Map<string, string>();

  beforeAll(async () => {
    for (const state of ['plain', 'deactivated', 'locked', 'admin', 'suspended', 'banned', 'both']) {
      users.set(state, await world.account(NAME, { displayname: state, admin: state === 'admin' }));
    }
    const of = (state: string) => users.get(state) ?? '';
    await world.admin.post(path`/_service/admin/v1/deactivate/${of('deactivated')}`);
    await world.admin.put(path`/_service/admin/v2/users/${of('locked')}`, { body: { locked: true } });
    for (const state of ['suspended', 'both']) {
      await world.admin.put(path`/_service/admin/v1/suspend/${of(state)}`, { body: { suspend: true } });
    }
    for (const state of ['banned', 'both']) {
      await world.admin.post(path`/_service/admin/v1/users/${of(state)}/shadow_ban`);
    }
    await world.whenIdle();
  });

  const list = async (query: Record<string, string>) => {
    const { status, body } = await world.admin.get<Page>(V3, { query: { user_id: NAME, ...query } });
    expect(status).toBe(200);
    expect(body.total).toBe(body.users.length);
    const states = new Map([...users].map(([state, userId]) => [userId, state]));
    return body.users.map(({ name }) => states.get(name));
  };

  it.each<[Record<string, string>, string[]]>([
    [{}, ['plain', 'deactivated', 'admin', 'suspended', 'banned', 'both']],
    [{ locked: 'true' }, ['plain', 'deactivated', 'locked', 'admin', 'suspended', 'banned', 'both']],
    [{ deactivated: 'true' }, ['deactivated']],
    [{ deactivated: 'false' }, ['plain', 'admin', 'suspended', 'banned', 'both']],
    [{ suspended: 'true' }, ['suspended', 'both']],
    [{ suspended: 'false' }, ['plain', 'deactivated', 'admin', 'banned']],
    [{ shadow_banned: 'true' }, ['banned', 'both']],
    [{ shadow_banned: 'false' }, ['plain', 'deactivated', 'admin', 'suspended']],
    [{ shadow_banned: 'true', suspended: 'true' }, ['both']],
    [{ admins: 'true' }, ['admin']],
    [{ name: 'suspend', deactivated: 'false' }, ['suspended']],
    [{ order_by: 'shadow_banned', dir: 'b', deactivated: 'false', suspended: 'true' }, ['both', 'suspended']],
  ])('returns the users for %j', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  it.each(['deactivated=1', 'suspended=x', 'shadow_banned=', 'guests=x', 'limit=-1', 'order_by=x', 'dir=x'])(
    'refuses %s',
    async (query) => {
      expect(await world.admin.get(V3, { query })).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    },
  );

  it('has the entries and pages of the other list', async () => {
    const query = { user_id: NAME, deactivated: 'false', limit: '2', from: '1' };
    const [v2, v3] = await Promise.all([world.admin.get(V2, { query }), world.admin.get(V3, { query })]);
    expect(v3.body).toEqual(v2.body);
    expect(v3.body).toMatchObject({ next_token: '3', total: 5 });
  });

  describe('searching', () => {
    const at = (userId: string) => SEARCH + encodeURIComponent(userId);

    it.each([
      ['no id', 'nobody', {}, 'M_INVALID_PARAM'],
      ['a user of another server', '@a:elsewhere', {}, 'M_UNKNOWN'],
      ['no term', '@a:test', {}, 'M_MISSING_PARAM'],
    ])('refuses %s', async (_, userId, query, errcode) => {
      expect(await world.admin.get(at(userId), { query })).toMatchObject(refusal(400, errcode));
    });

    it('finds accounts in every state by a part of their id', async () => {
      const query = { term: NAME.toUpperCase() };
      const { status, text } = await world.admin.get(at('@nobody:test'), { query });
      expect(status).toBe(200);
      expect(JSON.parse(text)).toEqual(
        [...users].map(([state, name]) => ({
          name,
          is_guest: 0,
          admin: state === 'admin' ? 1 : 0,
          user_type: null,
        })),
      );
    });

    it('finds nothing', async () => {
      expect(await world.admin.get(at('@a:test'), { query: { term: 'no such %' } })).toMatchObject({
        text: '[]',
      });
    });
  });
});
