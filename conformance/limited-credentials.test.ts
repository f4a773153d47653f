import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { openServer } from './shared-settings.ts';

const LIMITED = refusal(403, 'STEWARD_CREDENTIAL_LIMITED');
const OK = { status: 200 };
const ME = '/_service/admin/v1/me';
/** Requires a scope that no caller of less rights than an administrator has here. */
const SERVER = '/_service/admin/v1/server_version';
const USERS = '/_service/admin/v2/users';

interface Me {
  readonly scopes: readonly string[];
  readonly withheld_scopes?: readonly string[];
  readonly withheld_reason?: string;
}

const credentials: Parameters<typeof chapter>[1] = (world) => {
  const account = (userId: string) => path`/_service/admin/v2/users/${userId}`;
  const flag = (userId: string) => path`/_service/admin/v1/users/${userId}/admin`;
  const rolesOf = (userId: string) => path`/_service/admin/v1/users/${userId}/roles`;
  const reset = (userId: string) => path`/_service/admin/v1/reset_password/${userId}`;

  const login = (userId: string, password: string, more: Readonly<Record<string, unknown>> = {}) =>
    world.http<{ access_token: string; refresh_token?: string }>('POST', '/_proto/client/v3/login', {
      body: { type: 'm.login.password', identifier: { type: 'm.id.user', user: userId }, password, ...more },
    });
  const tokenOf = async (userId: string, password: string) =>
    (await login(userId, password)).body.access_token;
  const get = (token: string, target: string) => world.http('GET', target, { token });

  async function withRole(role: string) {
    const user = await world.user();
    await world.admin.put(rolesOf(user.userId), { body: { roles: [role] } });
    return user;
  }

  const promote = (userId: string) =>
    world.admin.put<{ rights_pending?: string }>(flag(userId), { body: { admin: true } });

  const signIn = (userId: string, password: string, more: Readonly<Record<string, unknown>> = {}) =>
    world.http('POST', '/_service/admin/v1/session', {
      headers: { origin: world.running.url },
      body: { user: userId, password, ...more },
    });

  it('a password of support does not become that of an administrator', async () => {
    const [support, user] = [await withRole('support'), await world.user()];
    const own = user.token;
    expect(
      await support.post(reset(user.userId), { body: { new_password: 'of support', logout_devices: false } }),
    ).toMatchObject(OK);
    const earlier = await tokenOf(user.userId, 'of support');
    const { body } = await promote(user.userId);
    expect(body.rights_pending).toContain('server:read');
    const later = await tokenOf(user.userId, 'of support');
    const renewable = (await login(user.userId, 'of support', { refresh_token: true })).body;
    const { body: renewed } = await world.http<{ access_token: string }>(
      'POST',
      '/_proto/client/v3/refresh',
      {
        body: { refresh_token: renewable.refresh_token },
      },
    );
    for (const token of [earlier, later, renewed.access_token])
      expect(await get(token, SERVER)).toMatchObject(LIMITED);
    // What support may do itself, it gains nothing by.
    expect(await get(later, `${USERS}?limit=1`)).toMatchObject(OK);
    const me = (await get(later, ME)).body as unknown as Me;
    expect(me.scopes).toEqual(['users:read', 'users:write', 'users:credentials']);
    expect(me.withheld_reason).toBe('credential');
    expect(me.withheld_scopes).toContain('server:read');
    // The session that the user began with their own password is the administrator's.
    expect(await get(own, SERVER)).toMatchObject(OK);
  });

  it('nor does a session, a refreshed token, a cookie or a password that begins with it', async () => {
    const [support, user] = [await withRole('support'), await world.user()];
    await support.put(account(user.userId), { body: { password: 'of support' } });
    await promote(user.userId);
    const token = await tokenOf(user.userId, 'of support');
    const auth = { type: 'm.login.password', user: user.userId, password: 'of support' };
    expect(
      await world.http('POST', '/_proto/client/v3/account/password', {
        token,
        body: { new_password: 'of its session', auth },
      }),
    ).toMatchObject(OK);
    expect(await get(await tokenOf(user.userId, 'of its session'), SERVER)).toMatchObject(LIMITED);
    const bySupport = await signIn(user.userId, 'of its session');
    expect(bySupport).toMatchObject(OK);
    expect((bySupport.body as { scopes?: readonly string[] }).scopes).not.toContain('server:read');
    expect(
      await world.http('POST', '/_service/admin/v1/me/totp', { token, body: { password: 'of its session' } }),
    ).toMatchObject(LIMITED);
    expect(
      await world.http('PUT', flag((await world.user()).userId), { token, body: { admin: true } }),
    ).toMatchObject(LIMITED);
    // A new password of an administrator is an administrator's.
    await world.admin.post(reset(user.userId), { body: { new_password: 'of an administrator' } });
    expect(await get(await tokenOf(user.userId, 'of an administrator'), SERVER)).toMatchObject(OK);
    expect((await promote(user.userId)).body).toEqual({});
  });

  it('an account that support made has its rights once an administrator sets a password', async () => {
    const support = await withRole('support');
    const userId = world.userId(world.freshName('made'));
    expect(await support.put(account(userId), { body: { password: 'of support' } })).toMatchObject({
      status: 201,
    });
    const given = await world.admin.put<{ rights_pending?: string }>(rolesOf(userId), {
      body: { roles: ['moderator'] },
    });
    expect(given.body.rights_pending).toContain('rooms:write');
    expect(await get(await tokenOf(userId, 'of support'), '/_service/admin/v1/rooms')).toMatchObject(LIMITED);
    const both = { password: 'new', admin: true };
    expect((await world.admin.put(account(userId), { body: both })).body).not.toHaveProperty(
      'rights_pending',
    );
    expect(await get(await tokenOf(userId, 'new'), SERVER)).toMatchObject(OK);
  });

  describe('goes on as always:', () => {
    it('a user who chose the password is promoted, and the token has the rights at once', async () => {
      const user = await world.user();
      expect((await promote(user.userId)).body).toEqual({});
      expect(await user.get(SERVER)).toMatchObject(OK);
    });

    it('moderators keep their own password, also through the administrative API, when they are promoted', async () => {
      const user = await withRole('support');
      const body = { new_password: 'my own', logout_devices: false };
      expect(await user.post(reset(user.userId), { body })).toMatchObject(OK);
      expect((await promote(user.userId)).body).toEqual({});
      expect(await get(await tokenOf(user.userId, 'my own'), SERVER)).toMatchObject(OK);
    });
  });
};
chapter('Credentials of a caller with fewer rights', credentials, { config: openServer });

chapter('Suspended administrators', (world) => {
  const suspension = (userId: string) => path`/_service/admin/v1/suspend/${userId}`;
  const suspended = refusal(403, 'M_USER_SUSPENDED');

  it('have no rights, and do not lift their suspension', async () => {
    const root = await world.user('root', { admin: true });
    const moderator = await world.user();
    const roles = path`/_service/admin/v1/users/${moderator.userId}/roles`;
    await world.admin.put(roles, { body: { roles: ['moderator'] } });
    for (const user of [root, moderator]) {
      await world.admin.put(suspension(user.userId), { body: { suspend: true } });
      expect(await user.get(`${USERS}?limit=1`)).toMatchObject(suspended);
      expect(await user.put(suspension(user.userId), { body: { suspend: false } })).toMatchObject(suspended);
      const headers = { origin: world.running.url };
      const credentials = { user: user.userId, password: user.password };
      expect(
        await world.http('POST', '/_service/admin/v1/session', { headers, body: credentials }),
      ).toMatchObject(suspended);
      const me = (await user.get(ME)).body as unknown as Me;
      expect(me).toMatchObject({ scopes: [], withheld_reason: 'suspended' });
      await world.admin.put(suspension(user.userId), { body: { suspend: false } });
      expect(await user.get(`${USERS}?limit=1`)).toMatchObject(OK);
    }
  });
});
