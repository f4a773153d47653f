import { randomUUID } from 'node:crypto';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { ProviderSignInService } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import { openSqliteStore, type Store } from '@steward/store';
import { createFakeClock } from '@steward/testing';
import { expect, it } from 'vitest';
import { toHeldExternalIds } from '../../core/model/external-id.ts';
import { type Failure, failingStore } from '../../fixtures/failing-store.ts';
import { appsOf, settingsOf, tokenOf } from '../../fixtures/provider-service.ts';
import { type ScriptedProvider, signRs256, startScriptedProvider } from '../../fixtures/scripted-provider.ts';
import { idOf, seedAccount, stateOf, writableCollections } from '../../fixtures/state.ts';
import { startTestService } from '../../fixtures/test-service.ts';
import { watchedStore } from '../../fixtures/watched-store.ts';

const clock = createFakeClock();

/** Starts a process on a store, whose users sign in with a provider. */
const startOn = (store: Store, busStore: Store, provider: ScriptedProvider) =>
  startTestService({
    store,
    busStore,
    clock,
    config: {
      server: { name: 'test', public_baseurl: 'https://chat.example' },
      oidc: {
        allowed_addresses: ['127.0.0.1'],
        providers: [{ ...settingsOf(provider, 'one'), create: 'on' }],
      },
    },
  });

/**
 * Signs in on a process whose write number `failAtWrite` fails, then on another process on the same store: with what the browser and the
 * app still hold, and then from the beginning.
 */
async function signInTwice(failAtWrite: number, failure: Failure) {
  const store = await openSqliteStore({ path: ':memory:' });
  const provider = await startScriptedProvider();
  const { arm, crashed, failing, writes } = failingStore(store, failAtWrite, failure);
  const crashing = await startOn(failing, store, provider);
  const apps = appsOf(crashing, provider);
  arm();
  const held = { back: new URLSearchParams(), cookie: '', token: '' };
  const work = (async () => {
    const { location, cookie } = await apps.begin();
    Object.assign(held, { back: provider.decide(location), cookie });
    const answer = await apps.complete(held.back, cookie);
    held.token = tokenOf(answer);
    await apps.logIn(held.token, 'PHONE');
  })().catch(() => {});
  const end = work.then(() => crashing.service.whenIdle()).catch(() => {});
  await Promise.race([crashed, end]);

  const fresh = await startOn(store, store, provider);
  await fresh.service.whenIdle();
  const { accounts, devices, tokens } = await stateOf(store);
  const own = accounts.filter(({ _id }) => _id === idOf('pat'));
  const halves = {
    accounts:
      own.filter(({ external_ids }) => JSON.stringify(external_ids).includes('subject')).length - own.length,
    tokensWithoutDevice: tokens.length > devices.length,
  };
  const again = appsOf(fresh, provider);
  const asked = provider.requests.filter((path) => path === '/token').length;
  const repeated = held.cookie === '' ? undefined : (await again.complete(held.back, held.cookie)).status;
  const exchanges = provider.requests.filter((path) => path === '/token').length - asked;
  const late =
    held.token === ''
      ? 'none'
      : await again.logIn(held.token, 'PHONE').then(
          () => 'session',
          () => 'refused',
        );
  const { location, cookie } = await again.begin();
  const session = await again.logIn(
    tokenOf(await again.complete(provider.decide(location), cookie)),
    'PHONE',
  );
  await fresh.service.whenIdle();
  const after = await stateOf(store);
  await crashing.close();
  await fresh.close();
  await store.close();
  return { writes: writes(), halves, repeated, exchanges, late, session, after };
}

it.each<[string, Failure]>([
  ['the process crashes before a write', 'before'],
  ['the process crashes during a write', 'during'],
  ['a write fails', 'unavailable'],
])(
  'A sign-in with a provider leaves no half account and can be repeated when %s, and its code counts once.',
  async (_, failure) => {
    const { writes } = await signInTwice(Number.POSITIVE_INFINITY, failure);
    expect(writes).toBeGreaterThan(6);
    const late = [];
    for (let failAtWrite = 1; failAtWrite <= writes; failAtWrite++) {
      const ended = await signInTwice(failAtWrite, failure);
      const at = `failure of write ${failAtWrite}`;
      expect.soft(ended.halves, at).toEqual({ accounts: 0, tokensWithoutDevice: false });
      // Either the sign-in was spent, or the provider says that the code was.
      if (ended.repeated !== undefined) expect.soft(ended.repeated, at).toBe(400);
      expect.soft(ended.exchanges, at).toBeLessThanOrEqual(1);
      expect.soft(ended.session, at).toMatchObject({ userId: idOf('pat'), deviceId: 'PHONE' });
      expect
        .soft(
          ended.after.accounts.filter(({ _id }) => _id === idOf('pat')),
          at,
        )
        .toHaveLength(1);
      expect.soft(ended.after.tokens, at).toHaveLength(1);
      expect.soft(ended.after.devices, at).toHaveLength(1);
      late.push(ended.late);
    }
    // A login token that was made counts at most once: the app that repeats the login gets a session, unless it has begun.
    expect(late).toContain('session');
    expect(late[0]).toBe('none');
  },
);

const LOGOUT_EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** More calls than a sign-in makes. */
const MAX_CALLS = 200;

it.each([
  ['an app', 'session', { sid: 's1' }],
  ['an app', 'user', { sub: 'subject' }],
  ['the console', 'session', { sid: 's1' }],
  ['the console', 'user', { sub: 'subject' }],
] as const)(
  'A sign-in of %s that a logout of the %s overtakes at any point leads to no session.',
  async (target, _, about) => {
    const store = await openSqliteStore({ path: ':memory:' });
    const collections = await writableCollections(store);
    await seedAccount(collections, 'pat', {
      admin: true,
      external_ids: toHeldExternalIds([{ authProvider: 'one', externalId: 'subject' }]),
    });
    const provider = await startScriptedProvider();
    provider.claims = { ...provider.claims, sid: 's1' };
    let beforeCall: (() => Promise<void>) | undefined;
    const first = await startOn(
      watchedStore(store, async () => beforeCall?.()),
      store,
      provider,
    );
    const second = await startOn(store, store, provider);
    const apps = appsOf(first, provider);
    const logOut = () => {
      const now = Math.floor(clock.now() / 1_000);
      const claims = { iss: provider.issuer, aud: 'steward', iat: now, exp: now + 120, jti: randomUUID() };
      const token = signRs256({ ...claims, events: LOGOUT_EVENT, ...about }, provider.key);
      return second.client(ProviderSignInService, 'anonymous').receiveProviderLogout(
        (async function* () {
          yield { idp: 'one', data: new TextEncoder().encode(`logout_token=${token}`) };
        })(),
      );
    };
    /** Completes a sign-in and begins its session, as far as the server lets it. */
    const signIn = async (back: URLSearchParams, cookie: string) => {
      if (target === 'an app') {
        await apps.logIn(tokenOf(await apps.complete(back, cookie)), 'PHONE');
        return;
      }
      const answer = await apps.completeForConsole(back, cookie);
      const loginToken = answer.headers.location?.split('=')[1] ?? '';
      await first.client(AdminSessionService, 'anonymous').createAdminSession({ loginToken, cookie });
    };
    let reached = true;
    let calls = 0;
    for (let overtaken = 1; reached; overtaken++) {
      expect(overtaken).toBeLessThan(MAX_CALLS);
      const { location, cookie } = await (target === 'an app' ? apps.begin() : apps.beginForConsole());
      const back = provider.decide(location);
      reached = false;
      calls = 0;
      beforeCall = async () => {
        if (++calls !== overtaken) return;
        reached = true;
        beforeCall = undefined;
        await logOut();
      };
      await signIn(back, cookie).catch(() => {});
      beforeCall = undefined;
      if (!reached) break;
      const left = await Promise.all([
        collections.tokens.countDocuments({ user_id: idOf('pat') }),
        collections.adminSessions.countDocuments({ user_id: idOf('pat') }),
        collections.loginTokens.countDocuments({}),
      ]);
      expect.soft(left, `overtaken before call ${overtaken}`).toEqual([0, 0, 0]);
      clock.advance(1_000);
    }
    // Without a logout, it leads to one.
    expect(calls).toBeGreaterThan(10);
    expect(
      (await collections.tokens.countDocuments({})) + (await collections.adminSessions.countDocuments({})),
    ).toBe(1);
    await first.close();
    await second.close();
    await store.close();
  },
);
