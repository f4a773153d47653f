import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { DeviceService } from '@steward/proto/steward/user/v1/devices_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPasswords } from '../../core/components/passwords.ts';
import { type Failure, failingStore } from '../../fixtures/failing-store.ts';
import { idOf, seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService, type TestService } from '../../fixtures/test-service.ts';
import { watchedStore } from '../../fixtures/watched-store.ts';

const PASSWORD = 'password';
const passwordHash = (await createPasswords()).hash(PASSWORD, 'test');

/** An upper bound of the store calls of a request. */
const MAX_CALLS = 40;

const ALICE = idOf('alice');

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:' });
  await seedAccount(await writableCollections(store), 'alice', { password_hash: await passwordHash });
});
afterEach(() => store.close());

/** Starts an instance of the service on the store, or on a wrapper of it that a test controls. */
const start = (on: Store = store) =>
  startTestService({ store: on, busStore: store, config: { sessions: { refresh_tokens: true } } });

/** A session: an access token, and the refresh token that renews it. */
interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
}

async function login(service: TestService): Promise<Session> {
  const { accessToken, refreshToken = '' } = await service.client(SessionService, 'anonymous').login({
    type: 'm.login.password',
    user: 'alice',
    password: PASSWORD,
    deviceId: 'PHONE',
    refreshToken: true,
  });
  return { accessToken, refreshToken };
}

const refresh = (service: TestService, { refreshToken }: Session): Promise<Session> =>
  service.client(SessionService, 'anonymous').refresh({ refreshToken });

const use = (service: TestService, { accessToken }: Session) =>
  service.client(SessionService, { token: accessToken }).whoAmI({});

const works = async (service: TestService, session: Session) =>
  (await refusalOf(use(service, session))) === undefined;

async function stored() {
  const { tokens, refreshTokens } = await writableCollections(store);
  return {
    tokens: await tokens.countDocuments({ user_id: ALICE }),
    refreshTokens: await refreshTokens.countDocuments({ user_id: ALICE }),
  };
}

const FAILURES: readonly Failure[] = ['before', 'during', 'unavailable'];

/** Runs an operation on an instance that fails at its first write, then its second, and so on. */
async function failingAtEachWrite(options: {
  readonly failure: Failure;
  readonly setUp: (service: TestService) => Promise<Session>;
  readonly run: (service: TestService, session: Session) => Promise<unknown>;
  readonly check: (service: TestService, session: Session) => Promise<void>;
}): Promise<void> {
  for (let failAtWrite = 1, ended = false; !ended; failAtWrite++) {
    expect(failAtWrite).toBeLessThan(MAX_CALLS);
    const healthy = await start();
    const session = await options.setUp(healthy);
    const { failing, arm, crashed, writes } = failingStore(store, failAtWrite, options.failure);
    const crashing = await start(failing);
    arm();
    const work = options.run(crashing, session).catch(() => {});
    await Promise.race([crashed, work]);
    ended = writes() < failAtWrite;
    await options.check(healthy, session).catch((cause) => {
      throw new Error(`When write ${failAtWrite} failed: ${cause.message}`, { cause });
    });
    await work;
    await crashing.close();
    await healthy.close();
  }
}

describe.each(FAILURES)('when a write fails, %s', (failure) => {
  it('a client can repeat the renewal', () =>
    failingAtEachWrite({
      failure,
      setUp: login,
      run: refresh,
      async check(service, session) {
        expect(await works(service, session)).toBe(true);
        const renewed = await refresh(service, session);
        expect(await works(service, renewed)).toBe(true);
        expect(await works(service, session)).toBe(false);
        const again = await refresh(service, renewed);
        expect(await works(service, again)).toBe(true);
        expect(await stored()).toEqual({ tokens: 1, refreshTokens: 1 });
      },
    }));

  it('a client can continue with the new tokens', () =>
    failingAtEachWrite({
      failure,
      setUp: async (service) => refresh(service, await login(service)),
      run: use,
      async check(service, renewed) {
        expect(await works(service, renewed)).toBe(true);
        const again = await refresh(service, renewed);
        expect(await works(service, again)).toBe(true);
        expect(await stored()).toEqual({ tokens: 1, refreshTokens: 1 });
      },
    }));
});

describe('a renewal', () => {
  it.each<[string, (service: TestService, session: Session) => Promise<unknown>]>([
    ['logs out', ({ client }, { accessToken }) => client(SessionService, { token: accessToken }).logout({})],
    [
      'logs out everywhere',
      ({ client }, { accessToken }) => client(SessionService, { token: accessToken }).logoutAll({}),
    ],
    [
      'loses the device',
      ({ client }) => client(DeviceService).deleteDevice({ userId: ALICE, deviceId: 'PHONE' }),
    ],
    [
      'gets another password',
      ({ client }) => client(AccountService).resetPassword({ userId: ALICE, newPassword: PASSWORD }),
    ],
    ['logs in again on the device', (service) => login(service)],
  ])('leaves neither the old nor the new tokens valid when the user %s during it', async (_, end) => {
    let interleave: (() => Promise<void>) | undefined;
    const first = await start(
      watchedStore(store, async ({ collection }) => {
        if (!collection.endsWith('outbox')) await interleave?.();
      }),
    );
    const second = await start();
    for (let call = 1, reached = true; reached; call++) {
      expect(call).toBeLessThan(MAX_CALLS);
      const session = await login(second);
      let calls = 0;
      reached = false;
      interleave = async () => {
        if (++calls !== call) return;
        reached = true;
        interleave = undefined;
        await end(second, session);
      };
      const renewed = await refresh(first, session).catch(() => undefined);
      interleave = undefined;
      if (!reached) await end(second, session);
      await first.service.whenIdle();
      await second.service.whenIdle();
      const when = `interleaved before call ${call}`;
      expect(await works(second, session), when).toBe(false);
      expect(renewed !== undefined && (await works(second, renewed)), when).toBe(false);
      expect(await refusalOf(refresh(second, session)), when).toBe('M_UNKNOWN_TOKEN');
      const left = await stored();
      expect(left.tokens, when).toBeLessThanOrEqual(1);
      expect(left.refreshTokens, when).toBe(left.tokens);
    }
    await first.close();
    await second.close();
  });
});
