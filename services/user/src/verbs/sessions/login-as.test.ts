import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { ConditionService } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { openSqliteStore } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tokenDigest } from '../../core/model/token.ts';
import { idOf, seedAccount, writableCollections } from '../../fixtures/state.ts';
import { refusalOf, startTestService } from '../../fixtures/test-service.ts';

const LIFE_MS = 60_000;
const MORE_MS = 1_000_000;

/** Starts a service with the administrators alice and bob, who have tokens of these names, and the user carol. */
async function start(maxLifetimeMs?: number) {
  const store = await openSqliteStore({ path: ':memory:' });
  const collections = await writableCollections(store);
  await seedAccount(collections, 'alice', { admin: true, logins: { alice: 'A' } });
  await seedAccount(collections, 'bob', { admin: true, logins: { bob: 'B' } });
  await seedAccount(collections, 'carol', { logins: { carol: 'C' } });
  const clock = createFakeClock();
  const config = { login_as: maxLifetimeMs === undefined ? {} : { max_lifetime_ms: maxLifetimeMs } };
  const service = await startTestService({ store, clock, config });
  onTestFinished(async () => {
    await service.close();
    await store.close();
  });
  const actAs = async (token: string, user: string, validUntilMs?: number) => {
    const expiry = validUntilMs === undefined ? {} : { validUntilMs: BigInt(validUntilMs) };
    const sessions = service.client(SessionService, { token });
    return (await sessions.loginAs({ userId: idOf(user), ...expiry })).accessToken;
  };
  const refusal = (token: string) => refusalOf(service.client(SessionService, { token }).whoAmI({}));
  const isStored = async (token: string) =>
    (await collections.tokens.findOne({ _id: tokenDigest(token) })) !== null;
  return { service, collections, clock, actAs, refusal, isStored };
}

type Started = Awaited<ReturnType<typeof start>>;

const put = (fields: object) => (service: Started['service']) =>
  service.client(AccountService).putUser({
    userId: idOf('bob'),
    present: { paths: Object.keys(fields) },
    ...fields,
  });
const suspend = (suspended: boolean) => (service: Started['service']) =>
  service.client(ConditionService).suspend({ userId: idOf('bob'), suspend: suspended });

describe.each([
  ['demoted', put({ admin: false }), put({ admin: true })],
  ['locked', put({ locked: true }), put({ locked: false })],
  ['suspended', suspend(true), suspend(false)],
  ['deactivated', put({ deactivated: true }), put({ deactivated: false, password: 'new password' })],
])('a token whose administrator is %s', (_, end, restore) => {
  it('ends for good, and alone', async () => {
    const { service, actAs, refusal, isStored } = await start();
    const [bobs, alices] = [await actAs('bob', 'carol'), await actAs('alice', 'carol')];
    expect(await refusal(bobs)).toBeUndefined();
    await end(service);
    expect(await refusal(bobs)).toBe('M_UNKNOWN_TOKEN');
    expect(await isStored(bobs)).toBe(false);
    await restore(service);
    expect(await refusal(bobs)).toBe('M_UNKNOWN_TOKEN');
    for (const token of [alices, 'alice', 'carol']) expect(await refusal(token), token).toBeUndefined();
  });

  it('ends also when its document is still stored', async () => {
    const { service, collections, actAs, refusal } = await start();
    const token = await actAs('bob', 'carol');
    const document = await collections.tokens.findOne({ _id: tokenDigest(token) });
    await end(service);
    await restore(service);
    if (document) await collections.tokens.insertOne(document);
    expect(await refusal(token)).toBe('M_UNKNOWN_TOKEN');
  });
});

it('a token ends for good when an earlier version demoted its administrator', async () => {
  const { service, collections, actAs, refusal } = await start();
  const token = await actAs('bob', 'carol');
  await collections.accounts.updateOne(
    { _id: idOf('bob') },
    { $set: { admin: false, facet: '00000' }, $inc: { version: 1 } },
  );
  expect(await refusal(token)).toBe('M_UNKNOWN_TOKEN');
  await put({ admin: true })(service);
  expect(await refusal(token)).toBe('M_UNKNOWN_TOKEN');
});

it('an administrator who was restored can act as users again', async () => {
  const { service, clock, actAs, refusal } = await start();
  await put({ locked: true })(service);
  await put({ locked: false })(service);
  const token = await actAs('bob', 'carol');
  expect(await refusal(token)).toBeUndefined();
  // The clean-up of the lock is repeated later and spares the new token.
  clock.advance(LIFE_MS * 2);
  await service.service.whenIdle();
  expect(await refusal(token)).toBeUndefined();
});

it('a suspended administrator cannot act as a user', async () => {
  const { service, actAs } = await start();
  await suspend(true)(service);
  expect(await refusalOf(actAs('bob', 'carol'))).toBe('M_USER_SUSPENDED');
});

describe('the lifetime of a token', () => {
  it.each([undefined, Number.MAX_SAFE_INTEGER])(
    'the lifetime of a token is limited, whatever was requested: %s',
    async (until) => {
      const { clock, actAs, refusal } = await start(LIFE_MS);
      const token = await actAs('bob', 'carol', until);
      clock.advance(LIFE_MS);
      expect(await refusal(token)).toBeUndefined();
      clock.advance(1);
      expect(await refusal(token)).toBe('M_UNKNOWN_TOKEN');
      expect(await refusal('carol')).toBeUndefined();
    },
  );

  it('can be requested shorter', async () => {
    const { clock, actAs, refusal } = await start(LIFE_MS);
    const token = await actAs('bob', 'carol', clock.now() + 5);
    clock.advance(6);
    expect(await refusal(token)).toBe('M_UNKNOWN_TOKEN');
  });

  it('the lifetime of a token is unlimited without the setting', async () => {
    const { clock, actAs, refusal } = await start();
    const token = await actAs('bob', 'carol');
    clock.advance(MORE_MS * MORE_MS);
    expect(await refusal(token)).toBeUndefined();
  });

  it('cannot be extended with the token itself', async () => {
    const { clock, actAs, refusal } = await start(LIFE_MS);
    const first = await actAs('bob', 'alice');
    clock.advance(LIFE_MS / 2);
    const second = await actAs(first, 'carol');
    expect(await refusal(second)).toBeUndefined();
    clock.advance(LIFE_MS / 2 + 1);
    expect(await refusal(second)).toBe('M_UNKNOWN_TOKEN');
  });
});
