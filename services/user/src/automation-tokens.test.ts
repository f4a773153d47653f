import { toRefusal } from '@steward/errors';
import { systemRandom } from '@steward/kernel';
import { AutomationTokenService } from '@steward/proto/steward/user/v1/automation_tokens_pb.ts';
import { RoleService } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { openCollections } from '@steward/service';
import { type Filter, openSqliteStore, type Store } from '@steward/store';
import { explain, stores } from '@steward/store/testing';
import { createFakeClock, type FakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pruneAutomationTokens } from './core/automation-tokens/prune-automation-tokens.ts';
import { type AutomationToken, automationTokens } from './core/model/automation-token.ts';
import { type Failure, failingStore } from './fixtures/failing-store.ts';
import { startTestService, type TestService } from './fixtures/test-service.ts';
import { watchedStore } from './fixtures/watched-store.ts';

const CLIENT = { address: '192.0.2.1', userAgent: 'cron' };
const OVERLAP_MS = 60_000;
const WEEK_MS = 7 * 86_400_000;
const ROLE = 'reader';

const client = (service: TestService) => service.client(AutomationTokenService);

/** The refusal of a token; `undefined` when it is accepted. */
async function refusalOf({ service }: TestService, token: string, from = CLIENT) {
  const rules = { allowLocked: false, allowExpired: true };
  try {
    await service.authenticate(token, rules, from);
    return undefined;
  } catch (error) {
    const { status, errcode, extra } = toRefusal(error);
    return { status, errcode, ...extra };
  }
}

const works = async (service: TestService, token: string) => (await refusalOf(service, token)) === undefined;
const UNKNOWN = { status: 401, errcode: 'M_UNKNOWN_TOKEN', soft_logout: false };

/** What a caller knows of a token before an operation. */
interface Known {
  readonly id: string;
  readonly token: string;
}

/** The operations on a token, and what must hold after one that was interrupted, for a caller who got `answer`. */
const OPERATIONS: Readonly<
  Record<
    string,
    {
      run(service: TestService, known: Known): Promise<{ readonly token?: string }>;
      check(
        service: TestService,
        known: Known,
        answer: { readonly token?: string } | undefined,
      ): Promise<void>;
    }
  >
> = {
  'creating one': {
    run: (service) => client(service).createAutomationToken({ name: 'new', role: ROLE }),
    async check(service, _, answer) {
      if (answer?.token) expect(await works(service, answer.token)).toBe(true);
      const again = await client(service).createAutomationToken({ name: 'new', role: ROLE });
      expect(await works(service, again.token)).toBe(true);
    },
  },
  'rotating one': {
    run: (service, { id }) => client(service).rotateAutomationToken({ id }),
    async check(service, { id, token }, answer) {
      // Without an answer, either nothing has happened, or the new secret is lost.
      if (answer?.token) expect(await works(service, answer.token)).toBe(true);
      const again = await client(service).rotateAutomationToken({ id });
      expect(await works(service, again.token)).toBe(true);
      for (const secret of [token, answer?.token ?? token]) expect(await works(service, secret)).toBe(false);
    },
  },
  'revoking one': {
    run: (service, { id }) => client(service).revokeAutomationToken({ id }) as Promise<object>,
    async check(service, { id, token }, answer) {
      if (answer) expect(await works(service, token)).toBe(false);
      await client(service)
        .revokeAutomationToken({ id })
        .catch((error: unknown) => expect(toRefusal(error).status).toBe(404));
      expect(await works(service, token)).toBe(false);
      await expect(client(service).rotateAutomationToken({ id })).rejects.toThrow('not found');
    },
  },
};

describe.each(stores)('automation tokens $title', ({ missing, open }) => {
  /** A service on a new store. */
  async function start(
    clock: FakeClock = createFakeClock(),
  ): Promise<{ store: Store; service: TestService }> {
    const { store, drop } = await open();
    const service = await startTestService({ store, clock });
    onTestFinished(async () => {
      await service.close();
      await drop();
    });
    await service.client(RoleService).createRole({ name: ROLE, scopes: ['users:read'] });
    return { store, service };
  }

  it.skipIf(missing).each(Object.entries(OPERATIONS))(
    'are valid or not, as the answer says, after a crash while %s',
    async (_, { run, check }) => {
      const { store, service } = await start();
      for (const failure of ['before', 'unavailable'] satisfies Failure[]) {
        let answered = false;
        for (let failAtWrite = 1; !answered; failAtWrite++) {
          const known = await client(service).createAutomationToken({ name: 'x', role: ROLE });
          const { id } = known.automationToken ?? { id: '' };
          const { arm, crashed, failing } = failingStore(store, failAtWrite, failure);
          const crashing = await startTestService({ store: failing, busStore: store });
          arm();
          const done = run(crashing, { id, token: known.token }).catch(() => undefined);
          const answer = await Promise.race([done, crashed.then(() => undefined)]);
          await crashing.close();
          await done;
          await check(service, { id, token: known.token }, answer);
          answered = answer !== undefined;
          expect(failAtWrite).toBeLessThan(10);
        }
      }
    },
  );

  it.skipIf(missing)('end when they expire, and are deleted a week later', async () => {
    const clock = createFakeClock();
    const { store, service } = await start(clock);
    const made = await client(service).createAutomationToken({
      name: 'x',
      scopes: ['users:read'],
      expiresInMs: 2n * BigInt(OVERLAP_MS),
    });
    const { id = '' } = made.automationToken ?? {};
    const rotated = await client(service).rotateAutomationToken({ id, overlapMs: BigInt(OVERLAP_MS) });
    expect(rotated.automationToken?.previousSecretExpiresTs).toBe(BigInt(clock.now() + OVERLAP_MS));
    clock.advance(OVERLAP_MS - 1);
    expect([await works(service, made.token), await works(service, rotated.token)]).toEqual([true, true]);
    clock.advance(1);
    expect(await refusalOf(service, made.token)).toEqual(UNKNOWN);
    const { automationToken: shown } = await client(service).getAutomationToken({ id });
    expect(shown?.previousSecretExpiresTs).toBeUndefined();
    expect(await works(service, rotated.token)).toBe(true);
    clock.advance(OVERLAP_MS);
    expect(await refusalOf(service, rotated.token)).toEqual(UNKNOWN);
    await expect(client(service).rotateAutomationToken({ id })).rejects.toThrow('expired');

    const kept = await client(service).createAutomationToken({ name: 'kept', scopes: ['users:read'] });
    const deps = { ...(await openCollections(store, { automationTokens })), clock, random: systemRandom };
    clock.advance(WEEK_MS);
    await pruneAutomationTokens(deps);
    expect(await client(service).listAutomationTokens({})).toMatchObject({ total: 2n });
    clock.advance(1);
    await pruneAutomationTokens(deps);
    expect(await client(service).listAutomationTokens({})).toMatchObject({ total: 1n });
    expect(await works(service, kept.token)).toBe(true);
  });

  it.skipIf(missing)('record their last use, and stay revoked', async () => {
    const clock = createFakeClock();
    const { store, service } = await start(clock);
    const made = await client(service).createAutomationToken({ name: 'x', scopes: ['users:read'] });
    const { id = '' } = made.automationToken ?? {};
    let writes = 0;
    const watched = watchedStore(store, ({ collection, write }) => {
      if (write && collection === automationTokens.name) writes++;
    });
    const used = await startTestService({ store: watched, busStore: store, clock });
    onTestFinished(() => used.close());
    const use = async (address: string) => {
      expect(await refusalOf(used, made.token, { ...CLIENT, address })).toBeUndefined();
      await used.service.whenIdle();
      return (await client(service).getAutomationToken({ id })).automationToken?.lastUsed;
    };
    const first = { ts: BigInt(clock.now()), address: '192.0.2.1' };
    expect(await use('192.0.2.1')).toMatchObject(first);
    clock.advance(59_999);
    expect(await use('192.0.2.2')).toMatchObject(first);
    expect(writes).toBe(1);
    clock.advance(1);
    expect(await use('192.0.2.3')).toMatchObject({ ts: BigInt(clock.now()), address: '192.0.2.3' });
    expect(writes).toBe(2);

    clock.advance(60_000);
    expect(await refusalOf(used, made.token)).toBeUndefined();
    await client(service).revokeAutomationToken({ id });
    await used.service.whenIdle();
    expect(writes).toBe(3);
    expect(await refusalOf(used, made.token)).toEqual(UNKNOWN);
    expect(await client(service).listAutomationTokens({})).toMatchObject({ total: 0n });
  });
});

it('automation tokens are found by their secrets, roles and expiry along indexes', async () => {
  const store = await openSqliteStore({ path: ':memory:' });
  const opened = await store.collection(automationTokens);
  for (const filter of [
    { 'secrets.digest': 'x' },
    { role: 'x' },
    { expires_ts: { $lt: 5 } },
  ] satisfies Filter<AutomationToken>[]) {
    const { plan } = explain(opened, filter);
    expect(plan.join('\n')).not.toMatch(/^SCAN user\.automation_tokens(?! USING)/m);
  }
  await store.close();
});
