import { toRefusal } from '@steward/errors';
import { AccountService } from '@steward/proto/steward/user/v1/accounts_pb.ts';
import { OwnAccountService } from '@steward/proto/steward/user/v1/own_account_pb.ts';
import { OwnDeviceService } from '@steward/proto/steward/user/v1/own_devices_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { describe, expect, it } from 'vitest';
import { externalIdKey } from '../../core/model/external-id.ts';
import { startProviderService, tokenOf } from '../../fixtures/provider-service.ts';
import { idOf } from '../../fixtures/state.ts';
import { refusalOf } from '../../fixtures/test-service.ts';

const challengeOf = async (call: Promise<unknown>) => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const { status, errcode, extra } = toRefusal(error);
  return { status, errcode, ...(extra as { session: string; flows: unknown }) };
};

const SSO = { stages: ['m.login.sso'] };

/** Starts a service whose user `pat` has a session of the provider `one` on the device PHONE, and an old device. */
async function start() {
  const started = await startProviderService({ provider: { create: 'on' } });
  const { service, provider, clock, signIn, logIn, collections } = started;
  const session = await logIn(tokenOf(await signIn()), 'PHONE');
  await logIn(tokenOf(await signIn()), 'OLD');
  const devices = service.client(OwnDeviceService, { token: session.accessToken });
  const remove = (auth?: { readonly session: string; readonly type?: string }) =>
    devices.deleteOwnDevice({ deviceId: 'OLD', ...(auth ? { auth } : {}) });
  const linkOf = (page: string) => {
    const href = /class="go" href="([^"]*)"/.exec(page)?.[1] ?? '';
    return new URL(href.replaceAll('&amp;', '&'), 'https://chat.example').searchParams;
  };
  /** Opens the page, follows its link and signs in at the provider. */
  const confirm = async (id: string) => {
    const asked = await started.interactive({ session: id });
    const sent = await started.interactive(Object.fromEntries(linkOf(asked.page)), asked.cookie);
    return started.complete(provider.decide(sent.location), asked.cookie);
  };
  const proveNow = () => {
    provider.claims = { ...provider.claims, auth_time: Math.floor(clock.now() / 1_000) };
  };
  proveNow();
  return { ...started, session, remove, linkOf, confirm, proveNow, collections };
}

describe('an operation of an account without a password', () => {
  it('is authenticated once by a new sign-in with the identity provider', async () => {
    const { remove, confirm, interactive, linkOf, service, session } = await start();
    const challenge = await challengeOf(remove());
    expect(challenge).toMatchObject({ status: 401, errcode: undefined, flows: [SSO] });
    expect(await challengeOf(remove({ session: challenge.session }))).toMatchObject({ status: 401 });
    const early = await challengeOf(remove({ session: challenge.session, type: 'm.login.sso' }));
    expect(early).toMatchObject({ status: 401, errcode: 'M_UNAUTHORIZED' });

    const asked = await interactive({ session: challenge.session });
    expect(asked.page).toContain('remove the device OLD');
    expect(asked.page).not.toContain('<script');
    const sent = await interactive(Object.fromEntries(linkOf(asked.page)), asked.cookie);
    expect(Object.fromEntries(new URL(sent.location).searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
      redirect_uri: 'https://chat.example/_proto/client/v3/login/sso/callback/one',
    });

    const done = await confirm(challenge.session);
    expect(done.status).toBe(200);
    expect(done.page).toContain("postMessage('authDone','*')");
    expect(done.headers['content-security-policy']).toMatch(/script-src 'sha256-[^']+'; /);
    // Two requests at once: one of them is authenticated.
    const results = await Promise.allSettled([
      remove({ session: challenge.session }),
      remove({ session: challenge.session }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusalOf(remove({ session: challenge.session }))).toBe('M_UNKNOWN');
    const { devices } = await service
      .client(OwnDeviceService, { token: session.accessToken })
      .listOwnDevices({});
    expect(devices.map(({ deviceId }) => deviceId)).toEqual(['PHONE']);
  });

  it('is authenticated for ten minutes, and by a sign-in that is as new as the question', async () => {
    const { remove, confirm, clock, proveNow } = await start();
    const { session } = await challengeOf(remove());
    clock.advance(120_000);
    expect((await confirm(session)).status).toBe(502);
    proveNow();
    expect((await confirm(session)).status).toBe(200);
    clock.advance(10 * 60_000);
    expect(await challengeOf(remove({ session }))).toMatchObject({ status: 401, errcode: 'M_UNAUTHORIZED' });
    proveNow();
    expect((await confirm(session)).status).toBe(200);
    await remove({ session });
  });

  it('is not authenticated by another user of the provider, for whom no account is created', async () => {
    const { remove, confirm, provider, collections } = await start();
    const { session } = await challengeOf(remove());
    provider.claims = { ...provider.claims, sub: 'other', preferred_username: 'other' };
    const answer = await confirm(session);
    expect(answer.status).toBe(403);
    expect(answer.page).toContain('another user');
    expect(await challengeOf(remove({ session, type: 'm.login.sso' }))).toMatchObject({ status: 401 });
    expect(await (await collections.accounts.find({ _id: idOf('other') })).toArray()).toEqual([]);
  });

  it('goes to the provider from a link in the page only, which another browser cannot use', async () => {
    const { remove, interactive, linkOf } = await start();
    const { session } = await challengeOf(remove());
    const asked = await interactive({ session });
    const link = Object.fromEntries(linkOf(asked.page));
    const elsewhere = await interactive({ session: (await challengeOf(remove())).session });
    for (const [parameters, cookie] of [
      [{ session, idp: 'one' }, asked.cookie],
      [{ ...link, confirmed: 'x' }, asked.cookie],
      [link, elsewhere.cookie],
      [link, ''],
    ] as const) {
      const answer = await interactive(parameters, cookie);
      expect({ status: answer.status, location: answer.location }).toEqual({ status: 200, location: '' });
      expect(answer.page).toContain('remove the device OLD');
    }
    expect((await interactive({ ...link, idp: 'unknown' }, asked.cookie)).status).toBe(404);
    expect((await interactive({ session: '' })).status).toBe(400);
    expect((await interactive({ session: 'unknown' })).status).toBe(400);
  });

  it('is not authenticated for another operation or another user', async () => {
    const { remove, confirm, service, session } = await start();
    const challenge = await challengeOf(remove());
    await confirm(challenge.session);
    const own = service.client(OwnAccountService, { token: session.accessToken });
    const auth = { session: challenge.session };
    expect(await refusalOf(own.deactivateOwnAccount({ auth }))).toBe('M_FORBIDDEN');
    const other = service.client(OwnDeviceService, { userId: idOf('other') });
    expect(await refusalOf(other.deleteOwnDevice({ deviceId: 'OLD', auth }))).toBe('M_FORBIDDEN');
  });
});

it('an account with a password may use it or its identity provider', async () => {
  const { remove, service } = await start();
  await service.client(AccountService).putUser({
    userId: idOf('pat'),
    present: { paths: ['password', 'logout_devices'] },
    password: 'correct horse battery staple',
    logoutDevices: false,
  });
  const { flows } = await challengeOf(remove());
  expect(flows).toEqual([{ stages: ['m.login.password'] }, SSO]);
});

it('an external id that a caller with fewer rights has set authenticates only the sessions that begin with it', async () => {
  const { remove, collections, signIn, logIn, service } = await start();
  const limited_ids = [{ key: externalIdKey('one', 'subject'), limit: ['accounts:write'] }];
  await collections.accounts.updateOne({ _id: idOf('pat') }, { $set: { limited_ids } });
  expect(await challengeOf(remove())).toMatchObject({ flows: [] });
  const { accessToken } = await logIn(tokenOf(await signIn()), 'NEW');
  const devices = service.client(OwnDeviceService, { token: accessToken });
  expect(await challengeOf(devices.deleteOwnDevice({ deviceId: 'OLD' }))).toMatchObject({ flows: [SSO] });
  expect(await service.client(SessionService, { token: accessToken }).whoAmI({})).toMatchObject({
    userId: idOf('pat'),
  });
});
