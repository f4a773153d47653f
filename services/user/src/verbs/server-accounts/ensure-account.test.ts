import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { ImportService } from '@steward/proto/steward/user/v1/import_pb.ts';
import { ProfileService } from '@steward/proto/steward/user/v1/profiles_pb.ts';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { ServerAccountService } from '@steward/proto/steward/user/v1/server_accounts_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { openSqliteStore } from '@steward/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { idOf, type SeededAccount, seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, SECRET, startTestService } from '../../fixtures/test-service.ts';
import { registrationMac } from '../registration/mac.ts';

const NOTICES = idOf('notices');
const ROOT = { token: 'root' };

/** Starts a service with an administrator, and the account of the name that the server uses for notices, if fields are given. */
async function start(
  existing?: SeededAccount,
  notices: Readonly<Record<string, unknown>> = { enabled: true },
) {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  await seedAccount(collections, 'root', { admin: true, logins: { root: 'R' } });
  if (existing) await seedAccount(collections, 'notices', existing);
  const service = await startTestService({ store, config: { notices, registration: REGISTRATION } });
  onTestFinished(async () => {
    await service.close();
    await store.close();
  });
  const stored = async () => (await collections.accounts.findOne({ _id: NOTICES })) ?? undefined;
  const ensure = () =>
    service.client(ServerAccountService).ensureAccount({ localpart: 'notices', displayName: 'Server' });
  return { service, collections, stored, ensure };
}

const REGISTRATION = { enabled: true, guests: true, shared_secret: SECRET };

type Started = Awaited<ReturnType<typeof start>>;

async function registerWithSecret({ service }: Started, username: string) {
  const client = service.client(RegistrationService, 'anonymous');
  const { nonce } = await client.getNonce({});
  const request = { nonce, username, password: 'secret', admin: false };
  return client.registerWithSecret({ ...request, mac: registrationMac(SECRET, request) });
}

const doors: readonly (readonly [string, (started: Started, name: string) => Promise<unknown>])[] = [
  [
    'registration',
    ({ service }, username) =>
      service.client(RegistrationService, 'anonymous').register({
        username,
        password: 'secret',
        auth: { type: 'm.login.dummy' },
        present: { paths: ['username', 'password', 'auth'] },
      }),
  ],
  ['registration by the shared secret', registerWithSecret],
  [
    'an administrator',
    ({ service }, name) => service.client(AccountService, ROOT).putUser({ userId: idOf(name.toLowerCase()) }),
  ],
  [
    'the availability of names',
    ({ service }, name) =>
      service
        .client(RegistrationService, 'anonymous')
        .checkRegistrationUsername({ username: name.toLowerCase() }),
  ],
  [
    'the availability of names for administrators',
    ({ service }, name) =>
      service.client(AccountService, ROOT).checkUsername({ username: name.toLowerCase() }),
  ],
];

describe.each(doors)('the name of the sender of notices, by %s', (_, enter) => {
  it.each([
    ['notices', 'notices', false],
    ['Notices', 'notices', true],
    ['news', 'news', false],
  ])('the name of the sender of notices is refused: %s', async (name, localpart, enabled) => {
    const started = await start(undefined, { enabled, localpart });
    expect(await refusalOf(enter(started, name))).toBe('M_USER_IN_USE');
    expect(await refusalOf(enter(started, 'other'))).toBeUndefined();
  });
});

it('an import makes no account with the name, unless the server has made it', async () => {
  const { service, stored, collections } = await start();
  const client = service.client(ImportService);
  const user = (localpart: string, fields: object = {}) => ({ userId: idOf(localpart), ...fields });
  const own = { actsForServer: true };
  const { loaded, problems } = await client.importUsers({
    users: [
      user('notices'),
      user('Notices', { passwordHash: '$argon2id$x' }),
      user('notices', { ...own, admin: true }),
      user('notices', { ...own, isGuest: true }),
      user('notices', {
        ...own,
        passwordHash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
      }),
      user('notices', { ...own, externalIds: [{ authProvider: 'idp', externalId: 'x' }] }),
    ],
  });
  expect({ loaded, problems }).toMatchObject({ loaded: 0, problems: { length: 6 } });
  expect(await collections.accounts.countDocuments({})).toBe(1);
  expect(await client.importUsers({ users: [user('notices', own)] })).toMatchObject({ loaded: 1 });
  expect(await stored()).toMatchObject({ acts_for_server: true });
  const devices = await client.importDevices({ devices: [{ userId: NOTICES, deviceId: 'D' }] });
  expect(devices).toMatchObject({ loaded: 0, problems: { length: 1 } });
});

describe('the account that the server has made', () => {
  it('gets neither credentials nor rights, and nobody logs in to it', async () => {
    const { service, stored, ensure } = await start();
    await ensure();
    const before = await stored();
    expect(before).toMatchObject({ acts_for_server: true, password_hash: null });
    const accounts = service.client(AccountService, ROOT);
    const put = (fields: object) =>
      accounts.putUser({ userId: NOTICES, present: { paths: Object.keys(fields) }, ...fields });
    for (const refused of [
      () => put({ password: 'secret' }),
      () => put({ admin: true }),
      () => put({ threepids: [{ medium: 'email', address: 'a@example.org' }] }),
      () => put({ external_ids: [], externalIds: [{ authProvider: 'idp', externalId: 'x' }] }),
      () => accounts.resetPassword({ userId: NOTICES, newPassword: 'secret' }),
      () => accounts.putAdminFlag({ userId: NOTICES, admin: true }),
      () => service.client(RoleService, ROOT).setAccountRoles({ userId: NOTICES, roles: ['moderator'] }),
      () => service.client(SessionService, ROOT).loginAs({ userId: NOTICES }),
    ])
      expect(await refusalOf(refused())).toBe('M_FORBIDDEN');
    expect(await stored()).toEqual(before);
  });

  it('has a profile that administrators change, and is reactivated without a password', async () => {
    const { service, stored, ensure } = await start();
    await ensure();
    const accounts = service.client(AccountService, ROOT);
    const put = (fields: object) =>
      accounts.putUser({ userId: NOTICES, present: { paths: Object.keys(fields) }, ...fields });
    await put({ displayname: 'Operations' });
    await put({ deactivated: true });
    expect(await refusalOf(ensure())).toBe('M_UNKNOWN');
    expect(await refusalOf(put({ deactivated: false, password: 'secret' }))).toBe('M_FORBIDDEN');
    await put({ deactivated: false });
    await ensure();
    expect(await stored()).toMatchObject({
      displayname: 'Operations',
      password_hash: null,
      deactivated: false,
    });
    const { profiles } = await service
      .client(ProfileService)
      .getProfiles({ userIds: [NOTICES, idOf('root')] });
    expect(profiles.map(({ userId, actsForServer }) => [userId, actsForServer])).toEqual(
      expect.arrayContaining([
        [NOTICES, true],
        [idOf('root'), false],
      ]),
    );
  });

  it('ends tokens with which administrators of earlier releases act as it', async () => {
    const { service, collections } = await start();
    await seedAccount(collections, 'notices');
    const { accessToken } = await service.client(SessionService, ROOT).loginAs({ userId: NOTICES });
    const whoAmI = () => refusalOf(service.client(SessionService, { token: accessToken }).whoAmI({}));
    expect(await whoAmI()).toBeUndefined();
    await collections.accounts.updateOne({ _id: NOTICES }, { $set: { acts_for_server: true } });
    expect(await whoAmI()).toBe('M_UNKNOWN_TOKEN');
  });
});

describe('an account of that name', () => {
  it('an account of that name that an earlier release has made is adopted when the server starts', async () => {
    const { service, stored, ensure } = await start({});
    expect(await stored()).toMatchObject({ acts_for_server: true });
    expect(service.faults).toEqual([]);
    await ensure();
  });

  it.each([
    ['has a password', { password_hash: 'x' }],
    ['was used', { last_seen_ts: 1 }],
    ['has a session', { logins: { stranger: 'S' } }],
    ['administers', { admin: true }],
    ['has an external id', { external_ids: [{ key: '["a","b"]', auth_provider: 'a', external_id: 'b' }] }],
  ] satisfies [string, SeededAccount][])(
    'that %s sends no notices, is reported, and stays as it is',
    async (_, fields) => {
      const { service, stored, ensure } = await start(fields);
      const before = await stored();
      expect(service.faults).toMatchObject([
        { message: expect.stringContaining('no server notices are sent') },
      ]);
      expect(await refusalOf(ensure())).toBe('M_UNKNOWN');
      expect(await stored()).toEqual(before);
      const [check, ...others] = service.service.checks;
      expect(others).toEqual([]);
      expect(check).toMatchObject({ need: 'notices_account', without: 'degraded' });
      expect(await check?.passes()).toBe(false);
    },
  );

  it('an account of that name is an ordinary one while no notices are sent', async () => {
    const { service, stored } = await start({ password_hash: 'x' }, {});
    expect(service.service.checks).toEqual([]);
    expect(service.faults).toEqual([]);
    await service.client(AccountService, ROOT).resetPassword({ userId: NOTICES, newPassword: 'other' });
    expect((await stored())?.password_hash).not.toBe('x');
  });

  it('an account of that name is given to the server by the configuration, which ends its sessions and its rights', async () => {
    const used: SeededAccount = {
      password_hash: 'x',
      admin: true,
      external_ids: [{ key: '["a","b"]', auth_provider: 'a', external_id: 'b' }],
      logins: { stranger: 'S' },
    };
    const { service, stored, ensure } = await start(used, { enabled: true, adopt_account: true });
    await service.service.whenIdle();
    expect(await stored()).toMatchObject({
      ...{ acts_for_server: true, password_hash: null, admin: false, external_ids: [] },
    });
    const stranger = service.client(SessionService, { token: 'stranger' });
    expect(await refusalOf(stranger.whoAmI({}))).toBe('M_UNKNOWN_TOKEN');
    expect(service.faults).toEqual([]);
    expect(await service.service.checks[0]?.passes()).toBe(true);
    await ensure();
  });
});
