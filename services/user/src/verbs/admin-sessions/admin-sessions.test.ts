import { toRefusal } from '@steward/errors';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { SecondFactorService } from '@steward/proto/steward/user/v1/second_factor_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { headers, readSessionCookie } from '@steward/rpc';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { TOTP } from 'otpauth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPasswords } from '../../core/components/passwords.ts';
import { type Failure, failingStore } from '../../fixtures/failing-store.ts';
import { seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { type StoreCall, watchedStore } from '../../fixtures/watched-store.ts';

const PASSWORD = 'the password';
const hash = (await createPasswords()).hash(PASSWORD, 'test');

const MINUTE_MS = 60_000;
const CLIENT = { [headers.clientAddress]: '192.0.2.1', [headers.clientUserAgent]: 'browser' };

async function seeded(): Promise<Store> {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const collections = await writableCollections(store);
  await seedAccount(collections, 'root', { admin: true });
  await seedAccount(collections, 'alice', {
    admin: true,
    password_hash: await hash,
    logins: { token: 'DEVICE' },
  });
  return store;
}

/** Starts a session of alice; returns its secret. */
async function signIn(service: TestService, factor: { readonly totp?: string } = {}): Promise<string> {
  let secret = '';
  await service.client(AdminSessionService, 'anonymous').createAdminSession(
    { user: 'alice', password: PASSWORD, ...factor },
    {
      headers: CLIENT,
      onHeader: (header) => {
        secret = readSessionCookie(header)?.secret ?? '';
      },
    },
  );
  return secret;
}

/** Whether a secret is accepted. */
async function isAccepted({ service }: TestService, secret: string, address = '192.0.2.1'): Promise<boolean> {
  const options = { allowLocked: false, allowExpired: false };
  try {
    const { kind } = await service.authenticate(secret, options, { address, userAgent: 'browser' });
    return kind === 'session';
  } catch (error) {
    expect(toRefusal(error)).toMatchObject({ status: 401, errcode: 'M_UNKNOWN_TOKEN' });
    return false;
  }
}

describe.each<Failure>(['before', 'during', 'unavailable'])('when a write fails: %s', (failure) => {
  /** Does work in a process that fails at one write; returns its result, and whether there was such a write. */
  async function doFailing<R>(store: Store, failAtWrite: number, work: (service: TestService) => Promise<R>) {
    const { arm, crashed, failing, writes } = failingStore(store, failAtWrite, failure);
    const service = await startTestService({ store: failing, busStore: store });
    arm();
    const done = work(service).catch(() => undefined);
    const result = await Promise.race([done, crashed.then(() => undefined)]);
    await service.close();
    await done;
    return { result, isAtEnd: writes() < failAtWrite };
  }

  it('a session whose secret was answered lives, and one that was ended never lives again', async () => {
    const store = await seeded();
    const fresh = await startTestService({ store });
    let isAtEnd = false;
    for (let failAtWrite = 1; !isAtEnd; failAtWrite++) {
      const started = await doFailing(store, failAtWrite, signIn);
      isAtEnd = started.isAtEnd;
      if (started.result !== undefined) expect(await isAccepted(fresh, started.result)).toBe(true);
    }
    isAtEnd = false;
    for (let failAtWrite = 1; !isAtEnd; failAtWrite++) {
      const secret = await signIn(fresh);
      const end = (service: TestService) =>
        service.client(AdminSessionService, { token: secret }).endAdminSession({});
      const ended = await doFailing(store, failAtWrite, end);
      isAtEnd = ended.isAtEnd;
      if (ended.result === undefined && (await isAccepted(fresh, secret))) await end(fresh);
      expect(await isAccepted(fresh, secret)).toBe(false);
    }
    expect(fresh.faults).toEqual([]);
    await fresh.close();
  });
});

it('refuses a session that starts while its account ends all', async () => {
  const store = await seeded();
  const other = await startTestService({ store });
  const service = await startTestService({
    store: watchedStore(store, async ({ collection, operation }: StoreCall) => {
      if (collection !== 'user.admin_sessions' || operation !== 'insertOne') return;
      await other.client(SessionService, { token: 'token' }).logoutAll({});
    }),
    busStore: store,
  });
  expect(toRefusal(await signIn(service).catch((error: unknown) => error))).toMatchObject({ status: 403 });
  const { adminSessions } = await writableCollections(store);
  expect(await adminSessions.countDocuments({})).toBe(0);
  await service.close();
  await other.close();
});

it('records the use of a session once a minute, and deletes it when it has expired', async () => {
  const store = await seeded();
  const clock = createFakeClock();
  let writes = 0;
  const service = await startTestService({
    store: watchedStore(store, ({ collection, write }: StoreCall) => {
      if (write && collection === 'user.admin_sessions') writes++;
    }),
    busStore: store,
    clock,
    config: { sessions: { admin_lifetime_ms: 10 * MINUTE_MS } },
  });
  const secret = await signIn(service);
  const use = async (address: string) => {
    writes = 0;
    for (let i = 0; i < 3; i++) expect(await isAccepted(service, secret, address)).toBe(true);
    return writes;
  };
  clock.advance(MINUTE_MS - 1);
  expect(await use('192.0.2.2')).toBe(0);
  clock.advance(1);
  expect(await use('192.0.2.3')).toBe(1);
  const { adminSessions } = await writableCollections(store);
  expect(await adminSessions.findOne({})).toMatchObject({ address: '192.0.2.3', used_ts: clock.now() });
  clock.advance(9 * MINUTE_MS);
  expect(await isAccepted(service, secret)).toBe(false);
  await service.close();
  clock.advance(1);
  const next = await startTestService({
    store,
    clock,
    config: { sessions: { admin_lifetime_ms: 10 * MINUTE_MS } },
  });
  await next.service.whenIdle();
  await expect.poll(() => adminSessions.countDocuments({})).toBe(0);
  await next.close();
});

it('takes a proof without a code for none of a second factor that is confirmed at the same time', async () => {
  const store = await seeded();
  const other = await startTestService({ store });
  let isWatching = false;
  const service = await startTestService({
    store: watchedStore(store, async ({ collection, operation }: StoreCall) => {
      if (!isWatching || collection !== 'user.admin_sessions' || operation !== 'findOneAndUpdate') return;
      const owner = other.client(SecondFactorService, { token: 'token' });
      const { secret } = await owner.beginTotp({ password: PASSWORD });
      await owner.confirmTotp({
        totp: new TOTP({ secret }).generate({ timestamp: createFakeClock().now() }),
      });
    }),
    busStore: store,
  });
  const secret = await signIn(service);
  isWatching = true;
  await service.client(AdminSessionService, { token: secret }).stepUp({ password: PASSWORD });
  const options = { allowLocked: false, allowExpired: false };
  expect(await service.service.authenticate(secret, options, undefined)).toMatchObject({
    admin: false,
    lacksSecondFactor: true,
  });
  await service.close();
  await other.close();
});

it('ends a session of the future, after a clock was set back', async () => {
  const store = await seeded();
  const [clock, ahead] = [createFakeClock(), createFakeClock()];
  ahead.advance(60 * MINUTE_MS);
  const [service, before] = [
    await startTestService({ store, clock }),
    await startTestService({ store, clock: ahead }),
  ];
  const secret = await signIn(before);
  clock.advance(30 * MINUTE_MS);
  expect(await isAccepted(service, secret)).toBe(false);
  clock.advance(MINUTE_MS);
  expect(await isAccepted(service, secret)).toBe(true);
  await service.close();
  await before.close();
});

it('admits a step-up while strangers fail to log in, and limits its own failures', async () => {
  const store = await seeded();
  const service = await startTestService({ store, config: { rate_limits: { enabled: true } } });
  const secret = await signIn(service);
  const login = (password: string) =>
    refusalOf(
      service
        .client(SessionService, 'anonymous')
        .login({ type: 'm.login.password', user: 'alice', password }, { headers: CLIENT }),
    );
  const stepUp = (password: string) =>
    refusalOf(service.client(AdminSessionService, { token: secret }).stepUp({ password }));
  for (let i = 0; i < 3; i++) expect(await login('wrong')).toBe('M_FORBIDDEN');
  expect(await login(PASSWORD)).toBe('M_LIMIT_EXCEEDED');
  expect(await stepUp(PASSWORD)).toBeUndefined();
  for (let i = 0; i < 3; i++) expect(await stepUp('wrong')).toBe('M_FORBIDDEN');
  expect(await stepUp(PASSWORD)).toBe('M_LIMIT_EXCEEDED');
  await service.close();
});

it('does not keep administrators of one address out who know their passwords, and limits others there', async () => {
  const store = await seeded();
  const limits = { enabled: true, login_account: { burst: 100 }, login_failed: { burst: 100 } };
  const service = await startTestService({ store, config: { rate_limits: limits } });
  const { createAdminSession } = service.client(AdminSessionService, 'anonymous');
  const attempt = (user: string, password: string) =>
    refusalOf(createAdminSession({ user, password }, { headers: CLIENT }));
  for (let i = 0; i < 6; i++) expect(await attempt('alice', PASSWORD)).toBeUndefined();
  for (let i = 0; i < 5; i++) expect(await attempt('stranger', 'wrong')).toBe('M_FORBIDDEN');
  expect(await attempt('alice', PASSWORD)).toBe('M_LIMIT_EXCEEDED');
  await service.close();
});

it('enrols no second factor where no session could begin with a password', async () => {
  const store = await seeded();
  const service = await startTestService({ store, config: { passwords: { enabled: false } } });
  const { beginTotp } = service.client(SecondFactorService, { token: 'token' });
  expect(await refusalOf(beginTotp({ password: PASSWORD }))).toBe('M_FORBIDDEN');
  const { accounts } = await writableCollections(store);
  expect((await accounts.findOne({ _id: '@alice:test' }))?.second_factor).toBeFalsy();
  await service.close();
});

it('stays ended after the account has lost its last role, also if it was not used meanwhile', async () => {
  const service = await startTestService({ store: await seeded() });
  const { putAdminFlag } = service.client(AccountService);
  const secret = await signIn(service);
  for (const admin of [false, true]) await putAdminFlag({ userId: '@alice:test', admin });
  expect(await isAccepted(service, secret)).toBe(false);
  expect(await isAccepted(service, await signIn(service))).toBe(true);
  await service.close();
});

it('has the rights that the password does not give where it proves a second factor of before', async () => {
  const store = await seeded();
  const { accounts } = await writableCollections(store);
  const clock = createFakeClock();
  const service = await startTestService({ store, clock });
  const rightsOf = (secret: string) =>
    service.service.authenticate(secret, { allowLocked: false, allowExpired: false }, undefined);
  const owner = service.client(SecondFactorService, { token: 'token' });
  const { secret: key } = await owner.beginTotp({ password: PASSWORD });
  const code = () => new TOTP({ secret: key }).generate({ timestamp: clock.now() });
  const limited = await limitPassword();
  expect(await rightsOf(limited)).toMatchObject({ admin: false, scopes: [Scope.USERS_READ] });
  await owner.confirmTotp({ totp: code() });
  clock.advance(MINUTE_MS);
  expect(await rightsOf(await signIn(service, { totp: code() }))).toMatchObject({ admin: true });
  clock.advance(MINUTE_MS);
  await service.client(AdminSessionService, { token: limited }).stepUp({ password: PASSWORD, totp: code() });
  expect(await rightsOf(limited)).toMatchObject({ admin: true });
  await service.close();

  /** Makes the password one that a caller with fewer rights has set; returns the secret of a session that begins with it. */
  async function limitPassword() {
    await accounts.updateOne({ _id: '@alice:test' }, { $set: { password_limit: ['users:read'] } });
    return signIn(service);
  }
});

it('does not show or end sessions to who knows the password alone, if there is a second factor', async () => {
  const store = await seeded();
  const clock = createFakeClock();
  const service = await startTestService({ store, clock });
  const owner = service.client(SecondFactorService, { token: 'token' });
  const sessions = service.client(AdminSessionService, { token: 'token' });
  await signIn(service);
  const [session] = (await sessions.listOwnAdminSessions({})).sessions;
  const { secret } = await owner.beginTotp({ password: PASSWORD });
  await owner.confirmTotp({ totp: new TOTP({ secret }).generate({ timestamp: clock.now() }) });
  expect(await refusalOf(sessions.listOwnAdminSessions({}))).toBe('M_FORBIDDEN');
  const end = sessions.endOwnAdminSession({ sessionId: session?.id ?? '' });
  expect(await refusalOf(end)).toBe('M_FORBIDDEN');
  await service.close();
});
