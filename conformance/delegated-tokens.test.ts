import { path } from '@steward/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownChapter } from './chapter.ts';
import { startIdentityProvider } from './identity-provider.ts';
import { refusal } from './refusal.ts';

const USER = 'urn:matrix:client:api:*';
const UNSTABLE_USER = 'urn:matrix:org.matrix.msc2967.client:api:*';
const ADMIN = 'urn:synapse:admin:*';
const device = (id: string) => `urn:matrix:client:device:${id}`;

const WHO_AM_I = '/_proto/client/v3/account/whoami';
const LOGIN = '/_proto/client/v3/login';
const ADMINISTRATION = '/_service/admin/v1/server_version';

const issuer = await startIdentityProvider(['https://unused.example/']);
afterAll(() => issuer.close());

const config = {
  delegated_authentication: {
    enabled: true,
    issuer: issuer.issuer,
    client_id: 'steward',
    client_secret_file: issuer.secretFile,
    cache_ms: 0,
    timeout_ms: 500,
  },
  oidc: { allowed_addresses: ['127.0.0.1'] },
  registration: { enabled: false, guests: false },
};

ownChapter('Access tokens of an issuer', (world) => {
  let earlier = '';
  beforeAll(async () => {
    earlier = (await world.user('earlier')).token;
    await world.restart({ config });
  });

  const whoAmI = (token: string) => world.http('GET', WHO_AM_I, { token });
  const administer = (token: string) => world.http('GET', ADMINISTRATION, { token });
  const issue = async (name: string, ...scopes: readonly string[]) =>
    issuer.issueToken('AccessToken', name, scopes.join(' '));

  it('begin sessions of accounts, which they create, on the devices that they name', async () => {
    const name = world.freshName();
    const first = await issue(name, 'openid', USER, device('PHONE'));
    const session = { user_id: `@${name}:${world.serverName}`, device_id: 'PHONE' };
    expect(await whoAmI(first.value)).toMatchObject({ status: 200, body: session });
    // As an app gets it when it renews its token.
    const second = await issue(name, 'openid', UNSTABLE_USER, device('PHONE'));
    expect(await whoAmI(second.value)).toMatchObject({ status: 200, body: session });
    expect(await whoAmI(first.value)).toMatchObject({ status: 200, body: session });
    const devices = await world.http<{ devices: object[] }>('GET', '/_proto/client/v3/devices', {
      token: second.value,
    });
    expect(devices.body.devices).toMatchObject([{ device_id: 'PHONE' }]);
    const root = await issue('root', ADMIN);
    const user = await world.http('GET', path`/_service/admin/v2/users/${session.user_id}`, {
      token: root.value,
    });
    expect(user.body).toMatchObject({
      displayname: `The user ${name}`,
      external_ids: [{ auth_provider: 'oauth-delegated', external_id: name }],
    });
  });

  it('are those of administrators with the scope, and of no others, whatever the account says', async () => {
    const name = world.freshName();
    const admin = await issue(name, USER, ADMIN, device('A'));
    const plain = await issue(name, USER, device('B'));
    expect((await administer(admin.value)).status).toBe(200);
    const made = await world.http('PUT', path`/_service/admin/v2/users/${`@${name}:${world.serverName}`}`, {
      token: admin.value,
      body: { admin: true },
    });
    expect(made.status).toBe(200);
    expect(await administer(plain.value)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    const exchanged = await world.http('POST', '/_service/admin/v1/session', {
      token: admin.value,
      body: {},
    });
    expect(exchanged).toMatchObject(refusal(403, 'M_FORBIDDEN'));
  });

  it('count until they are revoked, and while the account may be used', async () => {
    const name = world.freshName();
    const token = await issue(name, USER, device('PHONE'));
    expect((await whoAmI(token.value)).status).toBe(200);
    const root = await issue('root', ADMIN);
    const target = path`/_service/admin/v2/users/${`@${name}:${world.serverName}`}`;
    await world.http('PUT', target, { token: root.value, body: { locked: true } });
    expect(await whoAmI(token.value)).toMatchObject(refusal(401, 'M_USER_LOCKED'));
    await world.http('PUT', target, { token: root.value, body: { locked: false } });
    expect((await whoAmI(token.value)).status).toBe(200);
    await token.revoke();
    expect(await whoAmI(token.value)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
    const again = await issue(name, USER, device('PHONE'));
    await world.http('PUT', target, { token: root.value, body: { deactivated: true } });
    expect(await whoAmI(again.value)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
  });

  it('are refused as long as the issuer is down or slow, and count again afterwards', async () => {
    const known = await issue(world.freshName(), USER, ADMIN);
    expect((await whoAmI(known.value)).status).toBe(200);
    for (const works of ['badly', 'never'] as const) {
      issuer.works = works;
      for (const token of [known.value, earlier, 'unknown', world.admin.token]) {
        expect(await whoAmI(token)).toMatchObject(refusal(503, 'M_UNKNOWN'));
        expect(await administer(token)).toMatchObject(refusal(503, 'M_UNKNOWN'));
      }
    }
    issuer.works = 'well';
    expect((await whoAmI(known.value)).status).toBe(200);
  });

  describe('are not', () => {
    it('those of this server, which it gives no more', async () => {
      for (const token of [earlier, world.admin.token]) {
        expect(await whoAmI(token)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
        expect(await administer(token)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
      }
      expect((await world.http('GET', LOGIN)).body).toEqual({ flows: [] });
      const body = { type: 'm.login.password', user: 'x', password: 'y' };
      expect(await world.http('POST', LOGIN, { body })).toMatchObject(refusal(400, 'M_UNKNOWN'));
      const registered = await world.http('POST', '/_proto/client/v3/register', { body: {} });
      expect(registered).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      expect(await world.http('GET', '/_service/admin/v1/register')).toMatchObject(
        refusal(404, 'M_UNRECOGNIZED'),
      );
    });

    it.each([
      ['without a scope of this server', 'AccessToken', 'openid profile'],
      ['with two devices', 'AccessToken', `${USER} ${device('A')} ${device('B')}`],
      ['with a device that cannot be named so', 'AccessToken', `${USER} ${device('a/b')}`],
      ['that renew others', 'RefreshToken', `${USER} ${ADMIN}`],
    ] as const)('tokens %s', async (_, kind, scope) => {
      const { value } = await issuer.issueToken(kind, world.freshName(), scope);
      expect(await whoAmI(value)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
    });
  });
});
