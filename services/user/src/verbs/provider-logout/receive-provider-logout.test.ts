import { randomUUID } from 'node:crypto';
import { AdminSessionService } from '@steward/proto/steward/user/v1/admin_sessions_pb.ts';
import { ProviderSignInService } from '@steward/proto/steward/user/v1/provider_sign_ins_pb.ts';
import { SessionService } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import { readSessionCookie } from '@steward/rpc';
import { expect, it } from 'vitest';
import { startProviderService, tokenOf } from '../../fixtures/provider-service.ts';
import { newKey, signHs256, signRs256, unsigned } from '../../fixtures/scripted-provider.ts';
import { seedAccount } from '../../fixtures/state.ts';
import { refusalOf } from '../../fixtures/test-service.ts';

type Claims = Record<string, unknown>;

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** Starts a service of whose provider all users are administrators. */
async function start() {
  const world = await startProviderService({
    provider: { create: 'on', roles_claim: 'groups', roles: { chiefs: 'admin' } },
  });
  const { service, provider, clock, signIn, logIn } = world;
  await seedAccount(world.collections, 'root', { admin: true });
  provider.claims = { ...provider.claims, groups: 'chiefs' };
  const signIns = service.client(ProviderSignInService, 'anonymous');
  const send = (token: string, idp = 'one') =>
    signIns.receiveProviderLogout(
      (async function* () {
        yield { idp, data: new Uint8Array() };
        yield { data: new TextEncoder().encode(`${new URLSearchParams({ logout_token: token })}`) };
      })(),
    );
  const claims = (more: Claims): Claims => {
    const iat = Math.floor(clock.now() / 1_000);
    const about = { iss: provider.issuer, aud: 'steward', iat, exp: iat + 120, jti: randomUUID() };
    return { ...about, events: EVENTS, ...more };
  };
  const logOut = (more: Claims) => send(signRs256(claims(more), provider.key));
  /** Begins the session of a device, in a session at the provider. */
  const device = async (sid: string | undefined, id: string) => {
    provider.claims = { ...provider.claims, sid };
    const { accessToken } = await logIn(tokenOf(await signIn()), id);
    return async () =>
      (await refusalOf(service.client(SessionService, { token: accessToken }).whoAmI({}))) === undefined;
  };
  /** Begins a session of the console. */
  const console = async (sid: string | undefined) => {
    provider.claims = { ...provider.claims, sid };
    const { location, cookie } = await world.beginForConsole();
    const answer = await world.completeForConsole(provider.decide(location), cookie);
    const loginToken = answer.headers.location?.split('=')[1] ?? '';
    let token = '';
    await service.client(AdminSessionService, 'anonymous').createAdminSession(
      { loginToken, cookie },
      {
        onHeader: (header) => {
          token = readSessionCookie(header)?.secret ?? '';
        },
      },
    );
    return async () =>
      (await refusalOf(service.client(AdminSessionService, { token }).getAdminSession({}))) === undefined;
  };
  return { ...world, send, claims, logOut, device, console };
}

const living = (sessions: readonly (() => Promise<boolean>)[]) =>
  Promise.all(sessions.map((isAlive) => isAlive()));

it('A logout at the provider ends what began with its session, and with the user only all of the user.', async () => {
  const { provider, logOut, device, console, signIn, logIn, collections } = await start();
  const [phone, tablet, page, laptop] = [
    await device('s1', 'PHONE'),
    await device('s2', 'TABLET'),
    await console('s1'),
    await device(undefined, 'LAPTOP'),
  ];
  provider.claims = { ...provider.claims, sid: 's1' };
  const unused = tokenOf(await signIn());
  await logOut({ sid: 's1' });
  expect(await living([phone, tablet, page, laptop])).toEqual([false, true, false, true]);
  expect(await refusalOf(logIn(unused))).toBe('M_FORBIDDEN');
  expect(await collections.devices.countDocuments({ device_id: 'PHONE' })).toBe(0);
  await logOut({ sub: 'another' });
  await logOut({ sub: 'another', sid: 's2' });
  expect(await living([tablet, laptop])).toEqual([true, true]);
  provider.claims = { ...provider.claims, sub: 'other', preferred_username: 'other' };
  const others = await device('s3', 'PHONE');
  await logOut({ sub: 'subject' });
  expect(await living([tablet, laptop, others])).toEqual([false, false, true]);
});

it('A logout token counts once.', async () => {
  const { provider, send, claims, device, clock } = await start();
  await device('s1', 'PHONE');
  const token = signRs256(claims({ sid: 's1' }), provider.key);
  await send(token);
  clock.advance(1);
  const again = await device('s1', 'PHONE');
  expect(await refusalOf(send(token))).toBe('M_INVALID_PARAM');
  expect(await again()).toBe(true);
});

it.each<[string, (claims: Claims) => Claims]>([
  ['another issuer', (claims) => ({ ...claims, iss: 'https://other.example' })],
  ['another audience', (claims) => ({ ...claims, aud: 'other' })],
  ['no time', ({ iat, ...claims }) => claims],
  ['no end', ({ exp, ...claims }) => claims],
  ['a passed end', (claims) => ({ ...claims, iat: Number(claims.iat) - 300, exp: Number(claims.iat) - 60 })],
  ['no id', ({ jti, ...claims }) => claims],
  ['no event', ({ events, ...claims }) => claims],
  ['another event', (claims) => ({ ...claims, events: { other: {} } })],
  ['the nonce of an ID token', (claims) => ({ ...claims, nonce: 'n' })],
  ['neither user nor session', ({ sid, ...claims }) => claims],
  ['a session that is not a text', (claims) => ({ ...claims, sid: { $ne: '' } })],
])('A logout token with %s does not count.', async (_, change) => {
  const { provider, send, claims, device } = await start();
  const phone = await device('s1', 'PHONE');
  expect(await refusalOf(send(signRs256(change(claims({ sid: 's1' })), provider.key)))).toBe(
    'M_INVALID_PARAM',
  );
  expect(await phone()).toBe(true);
});

it('A logout token that the provider did not sign with a published key does not count, nor one of another provider.', async () => {
  const { provider, send, claims, device } = await start();
  const phone = await device('s1', 'PHONE');
  const about = claims({ sid: 's1' });
  for (const token of [
    unsigned(about),
    signRs256(about, { ...newKey(), kid: provider.key.kid }),
    signHs256(about, 'steward', provider.key.kid),
    'x',
    '',
  ])
    expect(await refusalOf(send(token))).toBe('M_INVALID_PARAM');
  expect(await refusalOf(send(signRs256(about, provider.key), 'two'))).toBe('M_INVALID_PARAM');
  expect(await refusalOf(send(signRs256(about, provider.key), 'unknown'))).toBe('M_NOT_FOUND');
  expect(await phone()).toBe(true);
});
