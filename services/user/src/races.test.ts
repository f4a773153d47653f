import { create } from '@bufbuild/protobuf';
import { systemClock, systemRandom } from '@steward/kernel';
import { UserDeactivatedSchema } from '@steward/proto/steward/event/v1/user_pb.ts';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountDataService } from '@steward/proto/steward/user/v1/account_data_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AutomationTokenService } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { FilterService } from '@steward/proto/steward/user/v1/filters_pb.ts';
import { KeyBackupService } from '@steward/proto/steward/user/v1/key_backups_pb.ts';
import { KeyService } from '@steward/proto/steward/user/v1/keys_pb.ts';
import { OwnAccountService } from '@steward/proto/steward/user/v1/own_account_pb.ts';
import { PusherService } from '@steward/proto/steward/user/v1/pushers_pb.ts';
import { RegistrationService } from '@steward/proto/steward/user/v1/registration_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { openCollections } from '@steward/service';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock, registrationMac } from '@steward/testing';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collections as collectionList } from './core/collections.ts';
import { createPasswords, type Passwords } from './core/components/passwords.ts';
import { tokenDigest } from './core/model/token.ts';
import { onUserDeactivated } from './events/on-user-deactivated.ts';
import {
  heldEmail,
  idOf,
  seedAccount,
  type WritableCollections,
  writableCollections,
} from './fixtures/state.ts';
import { refusalOf, SECRET, startTestService, type TestService } from './fixtures/test-service.ts';
import { watchedStore } from './fixtures/watched-store.ts';
import { noRooms } from './peers/rooms.ts';

const PASSWORD = 'password';

/** An upper bound of the store calls of an operation. */
const MAX_CALLS = 40;

/** The collections before whose calls an operation may be interleaved; those of the relay are not among them. */
const WATCHED = new Set([
  'user.accounts',
  'user.automation_tokens',
  'user.devices',
  'user.roles',
  'user.tokens',
  'user.spent_nonces',
  'user.pushers',
  'user.account_data',
  'user.account_data_streams',
  'user.filters',
  'user.one_time_keys',
  'user.cross_signing_keys',
  'user.key_backups',
  'user.key_backup_sessions',
]);

let store: Store;
let collections: WritableCollections;
/** Two instances of the service on one store. An operation can be interleaved with the store calls of the first. */
let first: TestService;
let second: TestService;
let passwords: Passwords;
let passwordHash: string;
let interleave: (() => Promise<void>) | undefined;
let names = 0;

beforeAll(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  collections = await writableCollections(store);
  passwords = await createPasswords();
  passwordHash = await passwords.hash(PASSWORD, 'test');
  const watched = watchedStore(store, async ({ collection }) => {
    if (WATCHED.has(collection)) await interleave?.();
  });
  first = await startTestService({ store: watched });
  second = await startTestService({ store });
});
afterAll(async () => {
  await first.close();
  await second.close();
  await store.close();
});

/**
 * Runs an operation on the first instance repeatedly, and a concurrent one on the second instance in the middle of
 * it: before its first call of the store, then before its second, and so on to the last.
 */
async function runInterleaved<A, B, S>(options: {
  /** Prepares a separate account for each run. */
  readonly setUp: () => Promise<S>;
  readonly run: (setUp: S) => Promise<A>;
  readonly concurrent: (setUp: S) => Promise<B>;
  readonly check: (outcome: {
    readonly setUp: S;
    readonly ran: Settled<A>;
    readonly concurrent: Settled<B>;
  }) => Promise<void>;
}): Promise<void> {
  let reached = true;
  for (let call = 1; reached; call++) {
    expect(call).toBeLessThan(MAX_CALLS);
    const setUp = await options.setUp();
    let calls = 0;
    reached = false;
    let concurrent: Promise<Settled<B>> | undefined;
    interleave = async () => {
      if (++calls !== call) return;
      reached = true;
      interleave = undefined;
      concurrent = settled(options.concurrent(setUp));
      await concurrent;
    };
    const ran = await settled(options.run(setUp));
    interleave = undefined;
    if (!concurrent) break;
    const outcome = { setUp, ran, concurrent: await concurrent };
    await first.service.whenIdle();
    await second.service.whenIdle();
    await options.check(outcome).catch((cause) => {
      throw new Error(`When interleaved before call ${call}: ${cause.message}`, { cause });
    });
  }
}

/** The result of an operation. */
interface Settled<T> {
  readonly response?: T;
  readonly refusal?: string | undefined;
}

async function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  const refusal = await refusalOf(work);
  return refusal === undefined ? { response: await work } : { refusal };
}

const freshName = (name: string) => `${name}-${++names}`;

/** An account with a password and the session `<name> token` on the device `OLD`. */
async function freshAccount(fields: Parameters<typeof seedAccount>[2] = {}): Promise<string> {
  const name = freshName('user');
  return seedAccount(collections, name, {
    password_hash: passwordHash,
    logins: { [`${idOf(name)} token`]: 'OLD' },
    ...fields,
  });
}

const login = (service: TestService, user: string, deviceId = 'NEW') =>
  service.client(SessionService, 'anonymous').login({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user },
    password: PASSWORD,
    deviceId,
  });

const works = async (token: string | undefined) =>
  token !== undefined && (await refusalOf(second.client(SessionService, { token }).whoAmI({}))) === undefined;

/** The devices of an account, and those of its tokens, as they are stored. */
async function sessionsOf(userId: string) {
  const devices = await collections.devices.find({ user_id: userId }).toArray();
  const tokens = await collections.tokens.find({ user_id: userId }).toArray();
  return {
    devices: devices.map(({ device_id }) => device_id).sort(),
    tokens: tokens.map(({ device_id }) => device_id).sort(),
  };
}

const NONE = { devices: [], tokens: [] };

const freshAdministrators = async (count: number) => {
  await collections.accounts.deleteMany({ admin: true });
  return Promise.all(Array.from({ length: count }, () => freshAccount({ admin: true })));
};
const demote = (service: TestService, userId = '') =>
  service.client(AccountService).putAdminFlag({ userId, admin: false });

describe('administrators', () => {
  const countActive = () => collections.accounts.countDocuments({ facet: { $in: ['00010'] } });

  it('administrators are not both demoted, of two, when two instances demote one each', () =>
    runInterleaved({
      setUp: () => freshAdministrators(2),
      run: ([one]) => demote(first, one),
      concurrent: ([, other]) => demote(second, other),
      async check({ ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal].sort()).toEqual(['M_UNKNOWN', undefined]);
        expect(await countActive()).toBe(1);
      },
    }));

  it('administrators are not all demoted, of several, at once', async () => {
    const all = await freshAdministrators(7);
    const outcomes = await Promise.all(
      all.map((userId, n) => settled(demote(n % 2 === 0 ? first : second, userId))),
    );
    expect(outcomes.filter(({ refusal }) => refusal !== undefined)).toEqual([{ refusal: 'M_UNKNOWN' }]);
    expect(await countActive()).toBe(1);
  });
});

describe('an automation token', () => {
  const client = (service: TestService) => service.client(AutomationTokenService);

  it('stays revoked when it is rotated during the request', () =>
    runInterleaved({
      async setUp() {
        const made = await client(first).createAutomationToken({ name: 'x', scopes: ['users:read'] });
        return { id: made.automationToken?.id ?? '', token: made.token };
      },
      run: async ({ id }) => (await client(first).rotateAutomationToken({ id })).token,
      concurrent: ({ id }) => client(second).revokeAutomationToken({ id }),
      async check({ setUp, ran, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        for (const token of [setUp.token, ran.response ?? setUp.token])
          expect(await refusalOf(second.client(RoleService, { token }).getMe({}))).toBe('M_UNKNOWN_TOKEN');
      },
    }));

  it('has one present secret when two instances rotate it', () =>
    runInterleaved({
      async setUp() {
        const made = await client(first).createAutomationToken({ name: 'x', scopes: ['users:read'] });
        return made.automationToken?.id ?? '';
      },
      run: async (id) => (await client(first).rotateAutomationToken({ id, overlapMs: 60_000n })).token,
      concurrent: async (id) =>
        (await client(second).rotateAutomationToken({ id, overlapMs: 60_000n })).token,
      async check({ setUp: id, ran, concurrent }) {
        const { secrets = [] } = (await collections.automationTokens.findOne({ _id: id })) ?? {};
        const shown = [ran.response ?? '', concurrent.response ?? ''].map(tokenDigest);
        expect(secrets.map(({ digest }) => digest).sort()).toEqual(shown.sort());
        expect(secrets.filter(({ until }) => until === null)).toHaveLength(1);
      },
    }));
});

describe('a role', () => {
  const client = (service: TestService, rights = {}) => service.client(RoleService, rights);
  const freshRole = async () => {
    const name = freshName('role');
    await client(first).createRole({ name, scopes: ['rooms:read'] });
    return { name, userId: await freshAccount() };
  };
  const rolesOf = async (userId: string) => (await client(second).getAccountRoles({ userId })).roles;
  const exists = async (name: string) =>
    (await client(second).listRoles({})).roles.some((role) => role.name === name);

  it.each([
    ['given while it is deleted', false],
    ['deleted while it is given', true],
  ])('has no holder when it is gone: %s', (_, isGiven) =>
    runInterleaved({
      setUp: freshRole,
      run: ({ name, userId }): Promise<unknown> =>
        isGiven
          ? client(first).setAccountRoles({ userId, roles: [name] })
          : client(first).deleteRole({ name }),
      concurrent: ({ name, userId }): Promise<unknown> =>
        isGiven
          ? client(second).deleteRole({ name })
          : client(second).setAccountRoles({ userId, roles: [name] }),
      async check({ setUp: { name, userId }, ran, concurrent }) {
        const [given, deleted] = isGiven ? [ran, concurrent] : [concurrent, ran];
        expect([given.refusal === undefined, deleted.refusal === undefined].sort()).toEqual([false, true]);
        expect(await exists(name)).toBe(given.refusal === undefined);
        expect(await rolesOf(userId)).toEqual(given.refusal === undefined ? [name] : []);
        if (await exists(name)) return;
        // A later role of the same name is another one, also for an account that refers to the first.
        await client(second).createRole({ name, scopes: ['rooms:read'] });
        expect(await rolesOf(userId)).toEqual([]);
      },
    }),
  );

  it.each([
    ['given to a token while it is deleted', false],
    ['deleted while it is given to a token', true],
  ])('has no token when it is gone: %s', (_, isGiven) => {
    const give = (service: TestService, role: string) =>
      service.client(AutomationTokenService).createAutomationToken({ name: role, role });
    return runInterleaved({
      setUp: freshRole,
      run: ({ name }): Promise<unknown> => (isGiven ? give(first, name) : client(first).deleteRole({ name })),
      concurrent: ({ name }): Promise<unknown> =>
        isGiven ? client(second).deleteRole({ name }) : give(second, name),
      async check({ setUp: { name }, ran, concurrent }) {
        const [given, deleted] = isGiven ? [ran, concurrent] : [concurrent, ran];
        expect([given.refusal === undefined, deleted.refusal === undefined].sort()).toEqual([false, true]);
        expect(await exists(name)).toBe(given.refusal === undefined);
        expect(await collections.automationTokens.countDocuments({ name })).toBe(
          given.refusal === undefined ? 1 : 0,
        );
      },
    });
  });

  it('a role is not given to an account that becomes an administrator during the request', () =>
    runInterleaved({
      setUp: freshRole,
      run: ({ name, userId }) =>
        client(first, { admin: false, scopes: [Scope.ROOMS_READ] }).setAccountRoles({
          userId,
          roles: [name],
        }),
      concurrent: async ({ userId }) => second.client(AccountService).putAdminFlag({ userId, admin: true }),
      async check({ setUp: { userId }, ran, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await rolesOf(userId)).toContain('admin');
        if (ran.refusal !== undefined) expect(ran.refusal).toBe('M_FORBIDDEN');
      },
    }));
});

describe('a second factor', () => {
  const NOW = createFakeClock().now();
  const totpOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: NOW });
  const SECRET = 'MFRGGZDFMZTWQ2LK';
  const CONFIRMED = {
    secret: SECRET,
    created_ts: 0,
    confirmed_ts: 0,
    last_step: -1,
    recovery_codes: [],
    failures: 0,
    failed_ts: 0,
  };
  const client = (service: TestService, userId: string) =>
    service.client(SecondFactorService, { token: `${userId} token` });
  const totp = totpOf(SECRET);
  const renew = (service: TestService, userId: string) =>
    client(service, userId).renewRecoveryCodes({ password: PASSWORD, totp });
  const stored = async (userId: string) =>
    (await collections.accounts.findOne({ _id: userId }))?.second_factor;

  it('accepts a code once, when two instances check it', () =>
    runInterleaved({
      setUp: () => freshAccount({ admin: true, second_factor: CONFIRMED }),
      run: (userId) => renew(first, userId),
      concurrent: (userId) => renew(second, userId),
      async check({ setUp: userId, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal].sort()).toEqual(['M_FORBIDDEN', undefined]);
        expect(await stored(userId)).toMatchObject({ failures: 1, recovery_codes: { length: 10 } });
      },
    }));

  it('a second factor is not left or begun when the account is deactivated during its enrolment', () =>
    runInterleaved({
      setUp: () => freshAccount({ roles: ['auditor'] }),
      async run(userId) {
        const { secret } = await client(first, userId).beginTotp({ password: PASSWORD });
        return client(first, userId).confirmTotp({ totp: totpOf(secret) });
      },
      concurrent: (userId) => second.client(AccountService).deactivate({ userId, erase: false }),
      async check({ setUp: userId, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect((await stored(userId)) ?? null).toBeNull();
      },
    }));

  it('a second factor is not enrolled with a password that is reset during the request', () =>
    runInterleaved({
      setUp: () => freshAccount({ roles: ['auditor'] }),
      run: (userId) => client(first, userId).beginTotp({ password: PASSWORD }),
      concurrent: (userId) =>
        second
          .client(AccountService)
          .resetPassword({ userId, newPassword: 'other', logoutDevices: false })
          .then(() => stored(userId)),
      async check({ setUp: userId, ran, concurrent }) {
        if (concurrent.response) return;
        expect(ran.refusal).toBe('M_FORBIDDEN');
        expect(await stored(userId)).toBeUndefined();
      },
    }));
});

describe('a login as another user', () => {
  it('gives no token that outlives a demotion during it', () =>
    runInterleaved({
      setUp: () => freshAdministrators(2),
      run: async ([userId]) => {
        const sessions = first.client(SessionService, { token: `${userId} token` });
        return sessions.loginAs({ userId: await freshAccount() });
      },
      async concurrent([userId = '']) {
        await demote(second, userId);
        await second.client(AccountService).putAdminFlag({ userId, admin: true });
      },
      async check({ ran }) {
        // A token that was issued before the demotion is dead; one that was requested after it may work.
        const token = ran.response?.accessToken;
        if (token === undefined || !(await works(token))) return;
        const [stored] = await collections.tokens.find({ _id: tokenDigest(token) }).toArray();
        expect(stored?.admin_term).toBe(2);
      },
    }));
});

describe('a login', () => {
  it('leaves no session when the account is deactivated during it', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => login(first, userId),
      concurrent: (userId) => second.client(AccountService).deactivate({ userId, erase: false }),
      async check({ setUp, ran, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await works(ran.response?.accessToken)).toBe(false);
        expect(await sessionsOf(setUp)).toEqual(NONE);
      },
    }));

  it('leaves no session when the password is reset during it', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => login(first, userId),
      concurrent: (userId) => second.client(AccountService).resetPassword({ userId, newPassword: 'other' }),
      async check({ setUp, ran, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await works(ran.response?.accessToken)).toBe(false);
        expect(await sessionsOf(setUp)).toEqual(NONE);
      },
    }));

  it('gives a session or none when all sessions are ended during it', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => login(first, userId),
      concurrent: (userId) => second.client(SessionService, { token: `${userId} token` }).logoutAll({}),
      async check({ setUp, ran }) {
        const lasts = await works(ran.response?.accessToken);
        expect(await sessionsOf(setUp)).toEqual(lasts ? { devices: ['NEW'], tokens: ['NEW'] } : NONE);
      },
    }));

  it('does not end a later login on the same device', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => login(first, userId),
      async concurrent(userId) {
        await second.client(SessionService, { token: `${userId} token` }).logoutAll({});
        return login(second, userId);
      },
      async check({ setUp, ran, concurrent }) {
        const [earlier, later] = [
          await works(ran.response?.accessToken),
          await works(concurrent.response?.accessToken),
        ];
        // A login that ends after the later one may count as the later one.
        expect([earlier, later].filter(Boolean)).toHaveLength(1);
        expect(await sessionsOf(setUp)).toEqual({ devices: ['NEW'], tokens: ['NEW'] });
      },
    }));

  it('leaves one session on a device with two concurrent logins', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => login(first, userId, 'OLD'),
      concurrent: (userId) => login(second, userId, 'OLD'),
      async check({ setUp, ran, concurrent }) {
        const tokens = [ran.response?.accessToken, concurrent.response?.accessToken];
        expect((await Promise.all(tokens.map(works))).filter(Boolean)).toHaveLength(1);
        expect(await sessionsOf(setUp)).toEqual({ devices: ['OLD'], tokens: ['OLD'] });
      },
    }));

  it('leaves no token without a device when the device is deleted during it', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => login(first, userId, 'OLD'),
      concurrent: (userId) => second.client(DeviceService).deleteDevice({ userId, deviceId: 'OLD' }),
      async check({ setUp, ran }) {
        const lasts = await works(ran.response?.accessToken);
        const { devices, tokens } = await sessionsOf(setUp);
        expect(tokens).toEqual(lasts ? ['OLD'] : []);
        if (lasts) expect(devices).toEqual(['OLD']);
      },
    }));
});

describe('a login as a user', () => {
  const loginAs = async (admin: string) => {
    const userId = await freshAccount();
    return first.client(SessionService, { token: `${admin} token` }).loginAs({ userId });
  };

  it.each<[string, (admin: string) => Promise<unknown>]>([
    ['sessions', (admin) => second.client(SessionService, { token: `${admin} token` }).logoutAll({})],
    ['account', (userId) => second.client(AccountService).deactivate({ userId, erase: false })],
  ])('leaves no token when the %s of the administrator ends during it', (_, end) =>
    runInterleaved({
      setUp: () => freshAccount({ admin: true }),
      run: loginAs,
      concurrent: end,
      async check({ setUp, ran, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await works(ran.response?.accessToken)).toBe(false);
        expect(await collections.tokens.find({ owner: setUp }).toArray()).toEqual([]);
      },
    }),
  );

  it('gives a token or is refused when the administrator logs out during it', () =>
    runInterleaved({
      setUp: () => freshAccount({ admin: true }),
      run: loginAs,
      concurrent: (admin) => second.client(SessionService, { token: `${admin} token` }).logout({}),
      async check({ setUp, ran }) {
        const lasts = await works(ran.response?.accessToken);
        expect(await collections.tokens.countDocuments({ owner: setUp })).toBe(lasts ? 1 : 0);
        expect(lasts).toBe(ran.refusal === undefined);
      },
    }));
});

describe('a new device', () => {
  it('does not stay on an account that is deactivated during its creation', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => first.client(DeviceService).createDevice({ userId, deviceId: 'NEW' }),
      concurrent: (userId) => second.client(AccountService).deactivate({ userId, erase: false }),
      async check({ setUp, ran }) {
        expect(ran.refusal).toBeUndefined();
        const account = await collections.accounts.findOne({ _id: setUp });
        const devices = await collections.devices.find({ user_id: setUp }).toArray();
        // One that was made after the deactivation stays.
        expect(devices.filter(({ epoch }) => epoch !== account?.sessions.epoch)).toEqual([]);
      },
    }));
});

describe('data that a client stores in its account', () => {
  const deactivate = (userId: string) => second.client(AccountService).deactivate({ userId, erase: false });
  const reactivate = async (userId: string) => {
    await deactivate(userId);
    await second.client(AccountService).putUser({
      userId,
      present: { paths: ['password', 'deactivated'] },
      password: PASSWORD,
      deactivated: false,
    });
  };
  const put = (service: TestService, userId: string, type: string, content: string) =>
    service
      .client(AccountDataService, { token: `${userId} token` })
      .putAccountData({ userId, type, content });
  const storeData = async (userId: string) => {
    await put(first, userId, 'org.example', '{}');
    const client = first.client(FilterService, { token: `${userId} token` });
    await client.createFilter({ userId, filter: '{}' });
  };

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['deactivated', deactivate],
    ['deactivated and reactivated', reactivate],
  ])('do not stay when the account is %s during the writes', (_, concurrent) =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: storeData,
      concurrent,
      async check({ setUp, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await collections.accountData.find({ user_id: setUp }).toArray()).toEqual([]);
        expect(await collections.filters.find({ user_id: setUp }).toArray()).toEqual([]);
      },
    }),
  );

  it('have one order of changes, in which none is missing', () =>
    runInterleaved({
      setUp: async () => {
        const userId = await freshAccount();
        await put(second, userId, 'both', '{"n":0}');
        return userId;
      },
      run: (userId) => put(first, userId, 'both', '{"n":1}'),
      async concurrent(userId) {
        await put(second, userId, 'both', '{"n":2}');
        return put(second, userId, 'other', '{}');
      },
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        const stream = await collections.accountDataStreams.findOne({ _id: setUp });
        expect(stream).toMatchObject({ version: 4, pending: [] });
        const held = await collections.accountData.find({ user_id: setUp }).toArray();
        const positions = held.map(({ position }) => position);
        expect(Math.max(...positions)).toBe(4);
        expect(new Set(positions).size).toBe(2);
        expect(held.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(stream?.bytes);
      },
    }));
});

describe('a pusher', () => {
  const setPusher = (userId: string) =>
    first.client(PusherService, { token: `${userId} token` }).setPusher({
      kind: 'http',
      appId: 'app',
      pushkey: 'key',
      appDisplayName: 'App',
      deviceDisplayName: 'Device',
      lang: 'en',
      data: '{"url":"https://push.example.org/_matrix/push/v1/notify"}',
    });

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['session', (userId) => second.client(SessionService, { token: `${userId} token` }).logout({})],
    ['sessions', (userId) => second.client(SessionService, { token: `${userId} token` }).logoutAll({})],
    ['device', (userId) => second.client(DeviceService).deleteDevice({ userId, deviceId: 'OLD' })],
    ['account', (userId) => second.client(AccountService).deactivate({ userId, erase: false })],
    ['login on the device', (userId) => login(second, userId, 'OLD')],
  ])('does not stay when the %s ends while it is set', (_, concurrent) =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: setPusher,
      concurrent,
      async check({ setUp, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await collections.pushers.find({ user_id: setUp }).toArray()).toEqual([]);
      },
    }),
  );
});

describe('keys', () => {
  const NAME = 'algorithm:id';
  const oneTimeKeys = { [NAME]: '"key"' };
  const deactivate = (userId: string) => second.client(AccountService).deactivate({ userId, erase: false });
  const reactivate = async (userId: string) => {
    await deactivate(userId);
    const present = { paths: ['password', 'deactivated'] };
    await second.client(AccountService).putUser({ userId, present, password: PASSWORD, deactivated: false });
  };
  const deleteDevice = (userId: string) =>
    second.client(DeviceService).deleteDevice({ userId, deviceId: 'OLD' });
  const upload = (service: TestService, userId: string) =>
    service.client(KeyService, { token: `${userId} token` }).uploadKeys({ oneTimeKeys });
  const claim = async (service: TestService, userId: string) => {
    const request = { oneTimeKeys: { [userId]: '{"OLD":"algorithm"}' } };
    const { oneTimeKeys: claimed } = await service.client(KeyService).claimKeys(request);
    return claimed[userId];
  };

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['the device is deleted', deleteDevice],
    ['the account is deactivated', deactivate],
    ['the account is deactivated and reactivated', reactivate],
  ])('of a device do not stay when %s during the upload', (_, concurrent) =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => upload(first, userId),
      concurrent,
      async check({ setUp, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await collections.oneTimeKeys.find({ user_id: setUp }).toArray()).toEqual([]);
        expect(await claim(second, setUp)).toBeUndefined();
      },
    }),
  );

  it('for one use go to one of two concurrent claims', () =>
    runInterleaved({
      async setUp() {
        const userId = await freshAccount();
        await upload(second, userId);
        return userId;
      },
      run: (userId) => claim(first, userId),
      concurrent: (userId) => claim(second, userId),
      async check({ ran, concurrent }) {
        expect([ran.response, concurrent.response].filter(Boolean)).toEqual([`{"OLD":{"${NAME}":"key"}}`]);
      },
    }));

  it('for one use are not uploaded again when they are handed out during the upload', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => upload(first, userId),
      async concurrent(userId) {
        await upload(second, userId);
        return claim(second, userId);
      },
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        // An upload that begins afterwards is a new one.
        expect(await collections.oneTimeKeys.countDocuments({ user_id: setUp })).toBeLessThanOrEqual(1);
      },
    }));

  it('to fall back on count as used once they are handed out, even while others replace them', () =>
    runInterleaved({
      async setUp() {
        const userId = await freshAccount();
        const client = second.client(KeyService, { token: `${userId} token` });
        await client.uploadKeys({ fallbackKeys: { 'algorithm:old': '"old"' } });
        return userId;
      },
      run: (userId) => claim(first, userId),
      concurrent: (userId) =>
        second
          .client(KeyService, { token: `${userId} token` })
          .uploadKeys({ fallbackKeys: { 'algorithm:new': '"new"' } }),
      async check({ setUp, ran }) {
        const [device] = await collections.devices.find({ user_id: setUp }).toArray();
        expect(device?.fallback_keys?.map(({ name }) => name)).toEqual(['algorithm:new']);
        const isNew = ran.response?.includes('new');
        expect(device?.used_fallback_keys ?? []).toEqual(isNew ? ['algorithm:new'] : []);
      },
    }));

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['deactivated', deactivate],
    ['deactivated and reactivated', reactivate],
  ])('for cross-signing do not stay when the account is %s during the upload', (_, concurrent) =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => {
        const masterKey = { user_id: userId, usage: ['master'], keys: { 'ed25519:key': 'key' } };
        return first
          .client(KeyService, { token: `${userId} token` })
          .uploadCrossSigningKeys({ masterKey: JSON.stringify(masterKey) });
      },
      concurrent,
      async check({ setUp, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await collections.crossSigningKeys.findOne({ _id: setUp })).toBeNull();
      },
    }),
  );

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['the backup is deleted', (userId) => backups(second, userId).deleteKeyBackup({ version: '1' })],
    ['the account is deactivated', deactivate],
    ['the account is deactivated and reactivated', reactivate],
  ])('in a backup do not stay when %s during the upload', (_, concurrent) =>
    runInterleaved({
      async setUp() {
        const userId = await freshAccount();
        await backups(second, userId).createKeyBackup({ algorithm: 'a', authData: '{}' });
        return userId;
      },
      run: (userId) =>
        backups(first, userId).putSessionKey({
          version: '1',
          roomId: '!r',
          sessionId: 's',
          sessionData: '{}',
        }),
      concurrent,
      async check({ setUp, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await collections.keyBackups.find({ user_id: setUp }).toArray()).toEqual([]);
        expect(await collections.keyBackupSessions.find({ user_id: setUp }).toArray()).toEqual([]);
      },
    }),
  );

  it('in a backup are the better ones of two concurrent uploads', () =>
    runInterleaved({
      async setUp() {
        const userId = await freshAccount();
        await backups(second, userId).createKeyBackup({ algorithm: 'a', authData: '{}' });
        return userId;
      },
      run: (userId) => putIndex(first, userId, 2),
      concurrent: (userId) => putIndex(second, userId, 1),
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        const [session] = await collections.keyBackupSessions.find({ user_id: setUp }).toArray();
        expect(session?.first_message_index).toBe(1);
      },
    }));

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['deactivated', deactivate],
    ['deactivated and reactivated', reactivate],
  ])('have no backup from before the account was %s', (_, concurrent) =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => backups(first, userId).createKeyBackup({ algorithm: 'a', authData: '{}' }),
      concurrent,
      async check({ setUp, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await collections.keyBackups.find({ user_id: setUp }).toArray()).toEqual([]);
      },
    }),
  );

  it('in concurrently created backups have different versions', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => backups(first, userId).createKeyBackup({ algorithm: 'a', authData: '{}' }),
      concurrent: (userId) => backups(second, userId).createKeyBackup({ algorithm: 'a', authData: '{}' }),
      async check({ ran, concurrent }) {
        expect([ran.response?.version, concurrent.response?.version].sort()).toEqual(['1', '2']);
      },
    }));

  const backups = (service: TestService, userId: string) =>
    service.client(KeyBackupService, { token: `${userId} token` });
  const putIndex = (service: TestService, userId: string, firstMessageIndex: number) =>
    backups(service, userId).putSessionKey({
      version: '1',
      roomId: '!r',
      sessionId: 's',
      sessionData: '{}',
      firstMessageIndex,
    });
});

describe('the end of sessions', () => {
  it('spares the calling session when a user changes their own password twice concurrently', () =>
    runInterleaved({
      setUp: () => freshAccount({ admin: true }),
      run: (userId) => changeOwnPassword(first, userId),
      concurrent: (userId) => changeOwnPassword(second, userId),
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        expect(await works(`${setUp} token`)).toBe(true);
        expect(await sessionsOf(setUp)).toEqual({ devices: ['OLD'], tokens: ['OLD'] });
      },
    }));

  it('by a password reset shuts a user out who changes the password concurrently', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) =>
        first.client(OwnAccountService, { token: `${userId} token` }).changeOwnPassword({
          newPassword: 'of the thief',
          logoutDevices: false,
          auth: { type: 'm.login.password', user: userId, password: PASSWORD },
          present: { paths: ['new_password', 'logout_devices', 'auth'] },
        }),
      concurrent: (userId) => second.client(AccountService).resetPassword({ userId, newPassword: 'other' }),
      async check({ setUp, concurrent }) {
        expect(concurrent.refusal).toBeUndefined();
        expect(await sessionsOf(setUp)).toEqual(NONE);
        const account = await collections.accounts.findOne({ _id: setUp });
        expect(await passwords.verify(account?.password_hash ?? null, 'other', 'test')).toBe(true);
      },
    }));

  it('keeps sessions from after a reactivation, however late the fact of the deactivation is delivered', async () => {
    const userId = await freshAccount({ admin: true });
    await second.client(AccountService).deactivate({ userId, erase: false });
    await second.client(AccountService).putUser({
      userId,
      present: { paths: ['password', 'deactivated'] },
      password: PASSWORD,
      deactivated: false,
    });
    const { accessToken } = await login(second, userId);
    await second
      .client(AccountService, { token: accessToken })
      .resetPassword({ userId, newPassword: 'other' });
    expect(await sessionsOf(userId)).toEqual({ devices: ['NEW'], tokens: ['NEW'] });
    const deps = {
      ...(await openCollections(store, collectionList)),
      bus: { notify: () => {} },
      rooms: noRooms,
      clock: systemClock,
      random: systemRandom,
    };
    await onUserDeactivated(deps, create(UserDeactivatedSchema, { userId }));
    expect(await sessionsOf(userId)).toEqual({ devices: ['NEW'], tokens: ['NEW'] });
  });

  it('spares a session on a device with a long name', async () => {
    const deviceId = 'D'.repeat(512);
    const userId = await freshAccount({ admin: true });
    const { accessToken } = await login(second, userId, deviceId);
    await second
      .client(AccountService, { token: accessToken })
      .resetPassword({ userId, newPassword: 'other' });
    expect(await sessionsOf(userId)).toEqual({ devices: [deviceId], tokens: [deviceId] });
  });
});

function changeOwnPassword(service: TestService, userId: string) {
  return service
    .client(AccountService, { token: `${userId} token` })
    .resetPassword({ userId, newPassword: 'other' });
}

describe('a deactivation', () => {
  it('leaves one of two consistent states beside a concurrent reactivation', () =>
    runInterleaved({
      setUp: () => freshAccount({ deactivated: true, threepids: [] }),
      run: (userId) => first.client(AccountService).deactivate({ userId, erase: true }),
      concurrent: (userId) =>
        second.client(AccountService).putUser({
          userId,
          present: { paths: ['password', 'deactivated'] },
          password: PASSWORD,
          deactivated: false,
        }),
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        const account = await collections.accounts.findOne({ _id: setUp });
        expect(account?.erased).toBe(account?.deactivated);
        expect(account?.password_hash === null).toBe(account?.deactivated);
        expect(account?.pending ?? []).toEqual([]);
      },
    }));

  it('may run twice concurrently', () =>
    runInterleaved({
      setUp: () => freshAccount({ threepids: [] }),
      run: (userId) => first.client(AccountService).deactivate({ userId, erase: false }),
      concurrent: (userId) => second.client(AccountService).deactivate({ userId, erase: true }),
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        expect(await collections.accounts.findOne({ _id: setUp })).toMatchObject({
          deactivated: true,
          erased: true,
          displayname: null,
          pending: [],
        });
        expect(await sessionsOf(setUp)).toEqual(NONE);
        expect(new Set(factsOf(setUp).map(({ id }) => id)).size).toBe(2);
      },
    }));
});

describe('an address', () => {
  const claim = (service: TestService, userId: string, address: string) =>
    service.client(AccountService).putUser({
      userId,
      present: { paths: ['threepids'] },
      threepids: [{ medium: 'email', address }],
    });
  const holdersOf = async (address: string) =>
    (await collections.accounts.find({ 'threepids.key': `email ${address}` }).toArray()).map(
      ({ _id }) => _id,
    );

  it('has one holder when two accounts claim it concurrently', () =>
    runInterleaved({
      async setUp() {
        const address = `${freshName('address')}@example.org`;
        const holder = await freshAccount({ threepids: [heldEmail(address)] });
        return { address, users: [holder, await freshAccount(), await freshAccount()] };
      },
      run: ({ address, users }) => claim(first, users[1] ?? '', address),
      concurrent: ({ address, users }) => claim(second, users[2] ?? '', address),
      async check({ setUp: { address, users }, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        const holders = await holdersOf(address);
        expect(holders).toHaveLength(1);
        expect(users.slice(1)).toContain(holders[0]);
        const found = await second.client(AccountService).findUserByThreepid({ medium: 'email', address });
        expect(found.userId).toBe(holders[0]);
      },
    }));

  it('stays with the account that claims it last when the holder changes addresses concurrently', () =>
    runInterleaved({
      async setUp() {
        const address = `${freshName('address')}@example.org`;
        return {
          address,
          holder: await freshAccount({ threepids: [heldEmail(address)] }),
          other: await freshAccount(),
        };
      },
      run: ({ address, holder }) =>
        first.client(AccountService).putUser({
          userId: holder,
          present: { paths: ['threepids'] },
          threepids: [
            { medium: 'email', address },
            { medium: 'msisdn', address: '1' },
          ],
        }),
      concurrent: ({ address, other }) => claim(second, other, address),
      async check({ setUp: { address, holder }, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        expect(await holdersOf(address)).toHaveLength(1);
        const held = await collections.accounts.findOne({ _id: holder });
        expect(held?.threepids.map(({ medium }) => medium)).toContain('msisdn');
      },
    }));

  it('belongs to the account that claims it last, even while the effect of an earlier claim is pending', async () => {
    const address = `${freshName('address')}@example.org`;
    const holder = await freshAccount({ threepids: [heldEmail(address, 1)] });
    const pending = [{ id: freshName('effect'), kind: 'threepids_claimed' }];
    const other = await freshAccount({ threepids: [heldEmail(address, 2)], pending });
    await claim(second, holder, address);
    await second.service.whenIdle();
    expect(await holdersOf(address)).toEqual([holder]);
    expect((await collections.accounts.findOne({ _id: other }))?.threepids).toEqual([]);
  });

  it('has at most one holder when its new holder is deactivated concurrently', () =>
    runInterleaved({
      async setUp() {
        const address = `${freshName('address')}@example.org`;
        return {
          address,
          holder: await freshAccount({ threepids: [heldEmail(address)] }),
          other: await freshAccount(),
        };
      },
      run: ({ address, other }) => claim(first, other, address),
      concurrent: ({ other }) => second.client(AccountService).deactivate({ userId: other, erase: false }),
      async check({ setUp: { address } }) {
        expect((await holdersOf(address)).length).toBeLessThanOrEqual(1);
      },
    }));
});

describe('an account', () => {
  const put = (service: TestService, userId: string, fields: Record<string, unknown>) =>
    service.client(AccountService).putUser({ userId, present: { paths: Object.keys(fields) }, ...fields });

  it('an account is created once by two concurrent requests', () =>
    runInterleaved({
      setUp: async () => idOf(freshName('new')),
      run: (userId) => put(first, userId, { displayname: 'first' }),
      concurrent: (userId) => put(second, userId, { displayname: 'second' }),
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        expect([ran.response?.created, concurrent.response?.created].sort()).toEqual([false, true]);
        const created = factsOf(setUp).filter(({ type }) => type === 'user.created');
        expect(new Set(created.map(({ id }) => id)).size).toBe(1);
      },
    }));

  it('an account is registered once by two concurrent requests for its name', () =>
    runInterleaved({
      setUp: async () => freshName('new'),
      run: (username) => registerWithSecret(first, username),
      concurrent: (username) => registerWithSecret(second, username),
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal].filter(Boolean)).toEqual(['M_USER_IN_USE']);
        expect(await works((ran.response ?? concurrent.response)?.accessToken)).toBe(true);
        expect((await sessionsOf(idOf(setUp))).tokens).toHaveLength(1);
      },
    }));

  it('keeps both of two concurrent changes', () =>
    runInterleaved({
      setUp: () => freshAccount(),
      run: (userId) => put(first, userId, { displayname: 'New', user_type: undefined }),
      concurrent: (userId) => put(second, userId, { avatarUrl: 'mxc://test/new', admin: true }),
      async check({ setUp, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal]).toEqual([undefined, undefined]);
        expect(await collections.accounts.findOne({ _id: setUp })).toMatchObject({
          displayname: 'New',
          avatar_url: 'mxc://test/new',
          admin: true,
          version: 3,
          pending: [],
        });
        expect(factsOf(setUp).map(({ sequence }) => sequence)).toEqual(expect.arrayContaining([2, 3]));
      },
    }));

  it('an account is the only one with an external id', () =>
    runInterleaved({
      setUp: async () => ({
        users: [await freshAccount(), await freshAccount()],
        externalId: freshName('id'),
      }),
      run: ({ users, externalId }) => putExternalId(first, users[0] ?? '', externalId),
      concurrent: ({ users, externalId }) => putExternalId(second, users[1] ?? '', externalId),
      async check({ setUp: { users, externalId }, ran, concurrent }) {
        expect([ran.refusal, concurrent.refusal].filter(Boolean)).toEqual(['M_UNKNOWN']);
        const found = await second
          .client(AccountService)
          .findUserByExternalId({ authProvider: 'oidc', externalId });
        expect(found.userId).toBe(users[ran.refusal === undefined ? 0 : 1]);
      },
    }));

  const putExternalId = (service: TestService, userId: string, externalId: string) =>
    put(service, userId, { external_ids: undefined, externalIds: [{ authProvider: 'oidc', externalId }] });
});

it('spends a nonce once in two concurrent registrations', () =>
  runInterleaved({
    setUp: async () => (await second.client(RegistrationService, 'anonymous').getNonce({})).nonce,
    run: (nonce) => registerWithSecret(first, freshName('new'), nonce),
    concurrent: (nonce) => registerWithSecret(second, freshName('new'), nonce),
    async check({ ran, concurrent }) {
      expect([ran.refusal, concurrent.refusal].filter(Boolean)).toEqual(['M_UNKNOWN']);
    },
  }));

async function registerWithSecret(service: TestService, username: string, given?: string) {
  const client = service.client(RegistrationService, 'anonymous');
  const nonce = given ?? (await client.getNonce({})).nonce;
  const mac = registrationMac(SECRET, { nonce, username, password: PASSWORD });
  return client.registerWithSecret({ nonce, username, password: PASSWORD, mac });
}

function factsOf(userId: string) {
  return [...first.facts, ...second.facts].filter(({ aggregate }) => aggregate === userId);
}
