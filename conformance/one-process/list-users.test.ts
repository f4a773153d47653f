import { path } from '@steward/testing';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from '../chapter.ts';

const USERS = '/_service/admin/v2/users';

/** The number of accounts, and of random queries. */
const ACCOUNTS = 50;
const QUERIES = 400;

/** Makes every run identical. */
const SEED = 2_3;

const ORDERS = [
  'name',
  'is_guest',
  'admin',
  'user_type',
  'deactivated',
  'shadow_banned',
  'displayname',
  'avatar_url',
  'creation_ts',
  'last_seen_ts',
  'locked',
] as const;

interface Entry {
  name: string;
  is_guest: number;
  admin: number;
  user_type: string | null;
  deactivated: number;
  erased: boolean;
  shadow_banned: number;
  displayname: string | null;
  avatar_url: string | null;
  creation_ts: number;
  last_seen_ts: number | null;
  locked: boolean;
}

interface Page {
  users: Entry[];
  total: number;
  next_token?: string;
}

interface Query {
  name?: string;
  user_id?: string;
  guests?: boolean;
  deactivated?: boolean;
  locked?: boolean;
  admins?: boolean;
  not_user_type?: string[];
  order_by?: (typeof ORDERS)[number];
  dir?: 'f' | 'b';
  from?: number;
  limit?: number;
}

/** The documented list in its simplest implementation (behaviour.md 2.3, 0.7, 0.11). */
function model(accounts: readonly Entry[], query: Query): Page {
  const { name, user_id, from = 0, limit = 100, order_by = 'name', dir = 'f' } = query;
  const contains = (text: string | null, term: string) =>
    text?.toLowerCase().includes(term.toLowerCase()) ?? false;
  const matching = accounts.filter((account) => {
    if (query.guests === false && account.is_guest) return false;
    if (!query.deactivated && account.deactivated) return false;
    if (!query.locked && account.locked) return false;
    if (query.admins !== undefined && query.admins !== (account.admin === 1)) return false;
    if (query.not_user_type?.some((type) => (type === 'none' ? '' : type) === (account.user_type ?? '')))
      return false;
    const localpart = account.name.slice(1, account.name.indexOf(':'));
    if (name) return contains(localpart, name) || contains(account.displayname, name);
    return !user_id || contains(account.name, user_id);
  });
  const sign = dir === 'b' ? -1 : 1;
  matching.sort((a, b) => sign * compare(a[order_by], b[order_by]) || compareCodePoints(a.name, b.name));
  const users = matching.slice(from, from + limit);
  const total = matching.length;
  return { users, total, ...(from + limit < total ? { next_token: String(from + users.length) } : {}) };
}

/** UTF-8 preserves the order of code points; JavaScript strings compare by UTF-16 code unit. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Nulls are smallest, strings compare by code point, false is before true. */
function compare(a: Entry[keyof Entry], b: Entry[keyof Entry]): number {
  if (a === null || b === null) return Number(b === null) - Number(a === null);
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  return Number(a) - Number(b);
}

/** In UTF-16, the last two have the opposite order. */
const DISPLAY_NAMES = [
  '',
  ' ',
  'Name Y',
  'Name Z',
  'admin',
  'Admin',
  'ädmin',
  'Ädmin',
  '%',
  '_',
  '~~',
  '\uFF5E',
  '😀',
];

chapter('2.3 The list of users', (world) => {
  let accounts: Entry[];

  const list = (query: Query) => world.admin.get<Page>(USERS, { query: { ...query } });

  beforeAll(async () => {
    const arbitrary = fc.record({
      displayname: fc.constantFrom(undefined, ...DISPLAY_NAMES),
      avatar_url: fc.constantFrom(
        undefined,
        'mxc://test/a',
        'mxc://test/B',
        'mxc://test/\uFF5E',
        'mxc://test/😀',
      ),
      admin: fc.boolean(),
      user_type: fc.constantFrom(null, 'bot', 'support'),
      locked: fc.constantFrom(true, false, false),
      deactivated: fc.constantFrom(true, false, false),
      seen: fc.boolean(),
      flags: fc.record({ is_guest: fc.constantFrom(true, false, false), shadow_banned: fc.boolean() }),
      elapsed: fc.constantFrom(0, 1, 1_000),
      letters: fc.string({ unit: fc.constantFrom(...'ab_-./=+1'), maxLength: 4 }),
    });
    for (const sample of fc.sample(arbitrary, { numRuns: ACCOUNTS, seed: SEED })) {
      const { displayname, avatar_url, admin, user_type, locked, deactivated } = sample;
      world.moveClock?.(sample.elapsed);
      const fields = { displayname, avatar_url, admin, user_type };
      const user = await world.account(`m${sample.letters}`, fields);
      await world.seed?.account(user, {
        ...sample.flags,
        ...(sample.seen ? { last_seen_ts: 1_000_000 + sample.elapsed } : {}),
      });
      const state = deactivated ? { deactivated } : { locked };
      await world.admin.put(path`/_service/admin/v2/users/${user}`, { body: state });
    }
    await world.whenIdle();
    accounts = (await list({ deactivated: true, locked: true })).body.users;
  });

  describe('an entry', () => {
    it('has the documented fields and no others', async () => {
      const user = await world.account('lonely', { displayname: '', threepids: [], user_type: 'bot' });
      const { body } = await list({ user_id: user });
      expect(body).toEqual({
        users: [
          {
            name: user,
            is_guest: 0,
            admin: 0,
            user_type: 'bot',
            deactivated: 0,
            erased: false,
            shadow_banned: 0,
            displayname: null,
            avatar_url: null,
            creation_ts: expect.any(Number),
            last_seen_ts: null,
            locked: false,
          },
        ],
        total: 1,
      });
      await world.admin.post(path`/_service/admin/v1/deactivate/${user}`, { body: { erase: true } });
      await world.whenIdle();
      accounts = (await list({ deactivated: true, locked: true })).body.users;
    });

    it('equals the response to the query for a single user', async () => {
      expect(accounts.length).toBeGreaterThanOrEqual(ACCOUNTS);
      for (const entry of accounts) {
        const { body } = await world.admin.get(path`/_service/admin/v2/users/${entry.name}`);
        expect(body).toMatchObject(entry);
      }
    });
  });

  describe.each(ORDERS)('ordered by %s', (order_by) => {
    it.each(['f', 'b'] as const)('in direction %s, ties ascending by name', async (dir) => {
      const query: Query = { order_by, dir, deactivated: true, locked: true };
      const expected = model(accounts, query).users;
      expect((await list(query)).body.users).toEqual(expected);
      const pages: Entry[] = [];
      let next: string | undefined = '0';
      while (next !== undefined) {
        const { body }: { body: Page } = await list({ ...query, limit: 7, from: Number(next) });
        pages.push(...body.users);
        next = body.next_token;
      }
      expect(pages).toEqual(expected);
    });
  });

  describe('filters', () => {
    it.each<Query>([
      {},
      { deactivated: true },
      { deactivated: false },
      { locked: true },
      { locked: false },
      { deactivated: true, locked: true },
      { guests: true },
      { guests: false },
      { admins: true },
      { admins: false },
      { admins: true, deactivated: true, locked: true },
      { not_user_type: ['bot'] },
      { not_user_type: ['support'] },
      { not_user_type: [''] },
      { not_user_type: ['none'] },
      { not_user_type: ['bot', 'support'] },
      { not_user_type: ['bot', 'support', ''] },
      { not_user_type: ['human', 'Bot', 'null'] },
      { name: 'a' },
      { name: 'DMIN' },
      { name: 'ÄD' },
      { name: 'name ' },
      { name: '%' },
      { name: '_' },
      { name: '😀' },
      { name: '*' },
      { name: '"' },
      { name: 'test' },
      { name: ':test' },
      { name: '@m' },
      { user_id: '@M' },
      { user_id: ':TEST' },
      { user_id: 'name y' },
      { user_id: '%' },
      { user_id: 'm', name: 'admin' },
      { user_id: 'nobody', name: 'admin' },
      { user_id: 'nobody', name: '' },
    ])('return the users for %j', async (query) => {
      expect((await list(query)).body).toEqual(model(accounts, query));
    });
  });

  it('any query matches the model', async () => {
    const parts = accounts.flatMap(({ name, displayname }) => [name, displayname ?? '']);
    const term = fc
      .tuple(fc.constantFrom(...parts), fc.nat(20), fc.integer({ min: 1, max: 5 }), fc.boolean())
      .map(([text, start, length, upper]) => {
        const part = [...text].slice(start, start + length).join('');
        return upper ? part.toUpperCase() : part;
      });
    const query = fc.record(
      {
        name: term,
        user_id: term,
        guests: fc.boolean(),
        deactivated: fc.boolean(),
        locked: fc.boolean(),
        admins: fc.boolean(),
        not_user_type: fc.uniqueArray(fc.constantFrom('', 'bot', 'support', 'x')),
        order_by: fc.constantFrom(...ORDERS),
        dir: fc.constantFrom('f' as const, 'b' as const),
        from: fc.nat(ACCOUNTS + 5),
        limit: fc.nat(20),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const { status, body } = await list(asked);
        expect(status).toBe(200);
        expect(body).toEqual(model(accounts, asked));
      }),
      { numRuns: QUERIES, seed: SEED },
    );
  });
});
