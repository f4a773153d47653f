import { StatisticsOwnerService } from '@steward/proto/steward/statistics/v1/statistics_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { explain, explainCount } from '@steward/store/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newAccount, withDerived } from '../../core/model/account.ts';
import { externalIdKey } from '../../core/model/external-id.ts';
import {
  heldEmail,
  idOf,
  seedAccount,
  type WritableCollections,
  writableCollections,
} from '../../fixtures/state.ts';
import { SERVER_NAME, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { type StoreCall, watchedStore } from '../../fixtures/watched-store.ts';

/** Large enough for accounts with every flag, and for several pages of each. */
const SIZE = 2_000;

const ORDERS = [
  undefined,
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
];

const FILTERS: Readonly<Record<string, object>> = {
  'no filter': {},
  'no guests': { guests: false },
  'administrators only': { admins: true },
  'no administrators': { admins: false },
  'the deactivated as well': { deactivated: true },
  'the locked as well': { locked: true },
  'no bots': { notUserType: ['bot'] },
  'bots and support only': { notUserType: [''] },
  'those who await approval only': { approved: false },
  'guests who are not locked': { isGuest: true, isLocked: false, erased: false, suspended: false },
  'accounts without a type, bridges hidden': { userType: ['none'], hideBridges: true, shadowBanned: false },
  'all filters together': {
    guests: false,
    deactivated: true,
    locked: true,
    admins: false,
    notUserType: ['support'],
    approved: false,
  },
};

let store: Store;
let collections: WritableCollections;
let service: TestService;
let calls: StoreCall[] = [];
beforeAll(async () => {
  // Fake timers keep the service's periodic work out of the recorded calls.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  store = await openSqliteStore({ path: ':memory:' });
  collections = await writableCollections(store);
  const people = Array.from({ length: SIZE }, (_, n) => {
    const name = `user-${String(n).padStart(5, '0')}`;
    return withDerived({
      ...newAccount({ localpart: name, serverName: SERVER_NAME, now: n % 700 }),
      displayname: n % 7 === 0 ? null : `Name ${n % 300}`,
      avatar_url: n % 3 === 0 ? `mxc://test/${n}` : null,
      last_seen_ts: n % 4 === 0 ? null : n,
      admin: n % 50 === 1,
      deactivated: n % 20 === 2,
      is_guest: n % 30 === 3,
      locked: n % 40 === 4,
      shadow_banned: n % 45 === 5,
      user_type: n % 35 === 6 ? 'bot' : n % 36 === 7 ? 'support' : null,
      ...(n % 3 === 0 ? { awaits_approval: n % 6 === 0 } : {}),
      threepids: [heldEmail(`${name}@example.org`)],
      external_ids: [{ key: externalIdKey('oidc', name), auth_provider: 'oidc', external_id: name }],
    });
  });
  for (let start = 0; start < SIZE; start += 500) {
    await collections.accounts.insertMany(people.slice(start, start + 500));
  }
  service = await startTestService({
    store: watchedStore(store, (call) => void calls.push(call)),
    config: { registration: { require_approval: true } },
  });
  await service.service.whenIdle();
});
afterAll(async () => {
  vi.useRealTimers();
  await service.close();
  await store.close();
});

/** Explains the store calls that a list makes on the accounts. */
async function explainList(filter: object) {
  calls = [];
  await service.client(AccountService).listUsers({ filter });
  const accountCalls = calls.filter(({ collection }) => collection === 'user.accounts');
  const { accounts } = collections;
  return accountCalls
    .filter(({ operation }) => operation !== 'tally')
    .map(({ operation, args }) => {
      const [filter, options] = args as Parameters<typeof accounts.find>;
      return operation === 'countDocuments'
        ? explainCount(accounts, filter)
        : explain(accounts, filter, options);
    });
}

it.each(Object.entries(FILTERS))('reads along an index in every order, with %s', async (_, filter) => {
  for (const orderBy of ORDERS) {
    for (const dir of ['f', 'b']) {
      // Short pages and whole lists, so that every group of a sort by flags is read.
      for (const page of [{ limit: 10n }, { from: 10n, limit: 10n }, { limit: BigInt(SIZE) }]) {
        const explained = await explainList({ ...filter, ...page, orderBy, dir });
        expect(explained.length).toBeGreaterThan(0);
        for (const { route, plan, statement } of explained) {
          const about = `${orderBy} ${dir}: ${statement}`;
          expect(route, about).toBe('walk');
          expect(plan.join('\n'), about).not.toMatch(/TEMP B-TREE|^SCAN user\.accounts(?! USING)/m);
        }
      }
    }
  }
});

it('reads the figures of the server from totals, and from ranges of an index alone', async () => {
  calls = [];
  await service.client(StatisticsOwnerService).readFigures({});
  const counted = calls.filter(
    ({ collection, operation }) => collection === 'user.accounts' && operation !== 'tally',
  );
  expect(counted.length).toBeGreaterThan(0);
  for (const { operation, args } of counted) {
    expect(operation).toBe('countDocuments');
    const [filter] = args as Parameters<typeof collections.accounts.countDocuments>;
    const { plan, statement } = explainCount(collections.accounts, filter);
    expect(plan.join('\n'), statement).toMatch(/USING COVERING INDEX .*last_seen_ts>\?/);
  }
});

it('counts no documents when the query searches for no text', async () => {
  calls = [];
  await service.client(AccountService).listUsers({ filter: { guests: false, from: 500n } });
  expect(calls.map(({ operation }) => operation)).toEqual(['tally', 'find']);
});

it.each([{ name: 'user-0' }, { name: 'name' }, { userId: 'er-000' }])(
  'finds the text of %j through the search index',
  async (request) => {
    for (const { route } of await explainList(request)) expect(route).toBe('search');
  },
);

it.each<[string, object]>([
  ['a creation', { createdAfter: 5n, createdBefore: 600n }],
  ['a late use', { lastSeenAfter: 5n }],
  ['an early use', { neverSeen: false, lastSeenBefore: 600n }],
  ['creation and use', { createdAfter: 5n, lastSeenBefore: 600n }],
  ['creation, use and flags', { createdAfter: 5n, lastSeenBefore: 600n, hideBridges: true, isGuest: false }],
])('finds and counts the accounts by %s in indexes alone', async (_, request) => {
  const explained = await explainList({ ...request, limit: 10n });
  expect(explained).toHaveLength(2);
  for (const { statement, plan } of explained) {
    // The first ten are tested along the list, or sorted from a range; either way no account is read that is left out.
    expect(plan.join('\n'), statement).toMatch(/USING COVERING INDEX user\.accounts\/list_/);
    expect(plan.join('\n'), statement).not.toMatch(
      /USING INDEX|USING INTEGER PRIMARY KEY|SCAN user\.accounts(?! USING)/,
    );
  }
});

it.each([{ neverSeen: true }, { neverSeen: true, locked: true, userType: ['bot', 'none'] }])(
  'walks along the list of %j',
  async (request) => {
    for (const { route, plan } of await explainList({ ...request, limit: 10n })) {
      expect(route).toBe('walk');
      expect(plan.join('\n')).not.toMatch(/TEMP B-TREE/);
    }
  },
);

it.each([
  { threepid: 'email:user-00001@example.org' },
  { externalId: 'oidc:user-00001' },
  { threepid: 'email:user-00001@example.org', neverSeen: false, name: 'user' },
])('reads one account for %j', async (request) => {
  // Before it the owner of the address is looked up.
  expect((await explainList(request)).at(-1)?.route).toBe('point');
});

it('finds a part of an address through the search index', async () => {
  for (const { route } of await explainList({ threepidContains: '00@EXAMPLE' })) expect(route).toBe('search');
});

it('finds a part of an id through the search index', async () => {
  calls = [];
  await service.client(AccountService).searchUserIds({ userId: '@a:test', term: 'ER-000' });
  const [call] = calls.filter(({ operation }) => operation === 'find');
  const args = call?.args as Parameters<typeof collections.accounts.find>;
  expect(explain(collections.accounts, ...args).route).toBe('search');
});

it.each<Parameters<WritableCollections['accounts']['find']>[0]>([
  { _id: '@user-00001:test' },
  { folded_id: '@user-00001:test' },
  { 'threepids.key': 'email user-00001@example.org' },
  { 'threepids.key': { $in: ['email user-00001@example.org', 'email user-00002@example.org'] } },
  { 'external_ids.key': externalIdKey('oidc', 'user-00001') },
  { 'external_ids.key': { $in: ['user-00001'] }, _id: { $ne: 'x' } },
  { 'pending.id': { $gt: '' } },
])('finds an account by %j without a full scan', (filter) => {
  const { route, plan } = explain(collections.accounts, filter);
  expect(route).not.toBe('reader');
  expect(plan.join('\n')).not.toMatch(/^SCAN user\.accounts(?! USING)/m);
});

it('finds another active administrator along an index', async () => {
  calls = [];
  await service.client(AccountService).putAdminFlag({ userId: idOf('user-00051'), admin: false });
  const filters = calls.flatMap(({ collection, args }) =>
    collection === 'user.accounts' && JSON.stringify(args).includes('"facet":{') ? [args] : [],
  );
  expect(filters).toHaveLength(1);
  for (const args of filters) {
    const { route, plan } = explain(
      collections.accounts,
      ...(args as Parameters<typeof collections.accounts.find>),
    );
    expect(route).not.toBe('reader');
    expect(plan.join('\n')).not.toMatch(/TEMP B-TREE|^SCAN user\.accounts(?! USING)/m);
  }
});

it('finds the documents of a session without a full scan', () => {
  const explained = [
    explain(collections.tokens, { _id: 'digest' }),
    explain(collections.tokens, { user_id: 'a', device_id: { $in: ['x', 'y'] } }),
    explain(collections.tokens, { owner: 'a', epoch: { $lt: 3 }, _id: { $ne: 'x' } }),
    explain(collections.tokens, {
      owner: 'a',
      user_id: { $ne: 'a' },
      $nor: [{ admin_term: { $gte: 1 } }],
    }),
    explain(collections.devices, { user_id: 'a' }, { sort: { device_id: 1, _id: 1 } }),
    explain(collections.devices, { user_id: 'a', epoch: { $lt: 3 }, device_id: { $ne: 'x' } }),
    explain(collections.connections, { user_id: 'a' }, { sort: { last_seen: -1, _id: 1 }, limit: 10 }),
    explain(
      collections.connections,
      { last_seen: { $lt: 3 } },
      { sort: { last_seen: 1, _id: 1 }, limit: 10 },
    ),
  ];
  for (const { route, plan } of explained) {
    expect(route).not.toBe('reader');
    expect(plan.join('\n')).not.toMatch(/TEMP B-TREE|^SCAN user\.\w+(?! USING)/m);
  }
});

it('removes many addresses from their previous holder in one write', async () => {
  const addresses = Array.from({ length: 50 }, (_, n) => `moves-${n}@example.org`);
  await seedAccount(collections, 'holder', { threepids: addresses.map((address) => heldEmail(address)) });
  const userId = await seedAccount(collections, 'taker');
  calls = [];
  await service.client(AccountService).putUser({
    userId,
    present: { paths: ['threepids'] },
    threepids: addresses.map((address) => ({ medium: 'email', address })),
  });
  const removals = calls.filter(
    ({ operation, args: [filter] }) =>
      operation !== 'findOne' && (filter as { _id?: string })._id === idOf('holder'),
  );
  expect(removals.map(({ operation }) => operation)).toEqual(['updateMany']);
  expect((await collections.accounts.findOne({ _id: idOf('holder') }))?.threepids).toEqual([]);
  expect((await collections.accounts.findOne({ _id: userId }))?.threepids).toHaveLength(50);
});
