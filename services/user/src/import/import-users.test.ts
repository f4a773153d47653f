import { ImportService } from '@steward/proto/steward/user/v1/import_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writableCollections } from '../fixtures/state.ts';
import { SERVER_NAME, startTestService, type TestService } from '../fixtures/test-service.ts';

let store: Store;
let service: TestService;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  service = await startTestService({
    store,
    config: {
      accounts: { user_types: ['staff'], default_user_type: 'staff' },
      registration: { require_approval: true },
    },
  });
});
afterEach(async () => {
  await service.close();
  await store.close();
});

it('imports accounts as approved, with a configured type or none', async () => {
  const users = [undefined, 'bot', 'staff', 'robot'].map((userType, n) => ({
    userId: `@user-${n}:${SERVER_NAME}`,
    userType,
  }));
  const { loaded, problems } = await service.client(ImportService).importUsers({ users });
  expect(loaded).toBe(3);
  expect(problems).toMatchObject([{ problem: 'user_type must be one of bot, support, staff' }]);
  const { accounts } = await writableCollections(store);
  const stored = await accounts.find({}, { sort: { _id: 1 } }).toArray();
  expect(stored.map(({ facet }) => facet)).toEqual(['00000', '00000bot', '00000staff']);
});

it('imports nothing that no path can name', async () => {
  const ids = ['.', '..', '...'];
  const client = service.client(ImportService);
  const users = ids.map((id, n) => ({
    userId: `@user-${n}:${SERVER_NAME}`,
    externalIds: [{ authProvider: 'provider', externalId: id }],
  }));
  const dots = { problem: expect.stringContaining("must not be '.' or '..'") };
  expect(await client.importUsers({ users })).toMatchObject({ loaded: 1, problems: [dots, dots] });
  const devices = ids.map((deviceId) => ({ userId: `@user-2:${SERVER_NAME}`, deviceId }));
  expect(await client.importDevices({ devices })).toMatchObject({ loaded: 1, problems: [dots, dots] });
});

it('imports no password where the server stores none', async () => {
  const other = await openSqliteStore({ path: ':memory:' });
  const storing = await startTestService({ store: other, config: { passwords: { localdb_enabled: false } } });
  const users = [undefined, '$argon2id$x'].map((passwordHash, n) => ({
    userId: `@user-${n}:${SERVER_NAME}`,
    passwordHash,
  }));
  const { loaded, problems } = await storing.client(ImportService).importUsers({ users });
  await storing.close();
  await other.close();
  expect({ loaded, problems }).toMatchObject({
    loaded: 1,
    problems: [{ problem: expect.stringContaining('localdb_enabled') }],
  });
});

it('imports roles, and accounts with roles that exist', async () => {
  const client = service.client(ImportService);
  const role = { name: 'on-call', description: 'Nights', scopes: ['tasks:read'] };
  const bad = [
    { ...role, name: 'On call' },
    { ...role, name: 'auditor' },
    { ...role, name: 'other', scopes: ['tasks:all'] },
  ];
  const { loaded, problems } = await client.importRoles({ roles: [role, ...bad] });
  expect(loaded).toBe(1);
  expect(problems.map(({ problem }) => problem)).toEqual([
    'name is not the name of a role',
    'name is the name of a built-in role',
    "there is no scope 'tasks:all'",
  ]);
  expect(await client.importRoles({ roles: [role] })).toMatchObject({ loaded: 0, skipped: 1 });

  const [alice, bob] = ['alice', 'bob'].map((name) => `@${name}:${SERVER_NAME}`);
  const users = [
    { userId: alice, roles: ['support', 'on-call', 'support'] },
    { userId: bob, roles: ['on-call', 'unknown'] },
  ];
  expect(await client.importUsers({ users })).toMatchObject({
    loaded: 1,
    problems: [{ problem: "there is no role 'unknown'" }],
  });
  expect(await service.client(RoleService).getAccountRoles({ userId: alice })).toMatchObject({
    roles: ['on-call', 'support'],
    scopes: ['users:read', 'users:write', 'users:credentials', 'tasks:read'],
  });
});

it('refuses an account with an address of another one, of the same batch or stored, in any spelling', async () => {
  const client = service.client(ImportService);
  const account = (name: string, ...addresses: string[]) => ({
    userId: `@${name}:${SERVER_NAME}`,
    threepids: addresses.map((address) => ({ medium: 'email', address })),
  });
  const first = account('first', 'Straße@x.de', ' STRASSE@X.DE');
  const users = [first, account('second', 'other@x.de', 'strasse@x.de'), account('third', 'other@x.de')];
  const problem = 'another record has the same threepids';
  expect(await client.importUsers({ users })).toMatchObject({ loaded: 2, problems: [{ index: 1, problem }] });
  const later = { users: [first, account('fourth', 'Other@x.de'), account('fifth', 'fifth@x.de')] };
  expect(await client.importUsers(later)).toMatchObject({
    loaded: 1,
    skipped: 1,
    problems: [{ index: 1, problem }],
  });
  const { accounts } = await writableCollections(store);
  const stored = await accounts.find({ 'threepids.key': 'email strasse@x.de' }).toArray();
  expect(stored.map(({ _id, threepids }) => [_id, threepids.length])).toEqual([[first.userId, 1]]);
});
