import { type Actor, path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const WHOAMI = '/_proto/client/v3/account/whoami';
const LOGOUT = '/_proto/client/v3/logout';
const LOGOUT_ALL = '/_proto/client/v3/logout/all';
const USERS = '/_service/admin/v2/users';

/** The lifetime of a token. */
const LIFE_MS = 1_000;

const at = (userId: string) => path`/_service/admin/v1/users/${userId}/login`;

const unknown = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });
const expired = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: true });

chapter('2.12 Logging in as a user', (world) => {
  let admin: Actor;
  beforeAll(async () => {
    admin = await world.user('admin', { admin: true });
  });

  /** An administrator who acts as a user. */
  async function actAs(userId: string, owner: Actor = admin, body: object = {}): Promise<Actor> {
    const reply = await owner.post<{ access_token: string }>(at(userId), { body });
    expect(reply.status).toBe(200);
    const { access_token: token, ...rest } = reply.body;
    expect(rest).toEqual({});
    return world.actor({ userId, localpart: '', password: '', token, deviceId: '' });
  }

  describe('refuses', () => {
    it.each([
      ['a user of another server', '@a:elsewhere', 'no JSON', 400, 'M_UNKNOWN'],
      ['no id', 'nobody', 'no JSON', 400, 'M_UNKNOWN'],
      ['no JSON', '@nobody:test', 'x', 400, 'M_NOT_JSON'],
      ['no object', '@nobody:test', '[]', 400, 'M_BAD_JSON'],
      ['a string', '@nobody:test', '{"valid_until_ms":"1"}', 400, 'M_UNKNOWN'],
      ['a boolean', '@nobody:test', '{"valid_until_ms":true}', 400, 'M_UNKNOWN'],
      ['a fraction', '@nobody:test', '{"valid_until_ms":1.0}', 400, 'M_UNKNOWN'],
      ['an unknown user', '@nobody:test', '', 404, 'M_NOT_FOUND'],
    ])('%s', async (_, userId, rawBody, status, errcode) => {
      expect(await admin.post(at(userId), { rawBody })).toMatchObject(refusal(status, errcode));
    });

    it("the caller's own account", async () => {
      expect(await admin.post(at(admin.userId))).toMatchObject(refusal(400, 'M_UNKNOWN'));
      const body = { valid_until_ms: 'x' };
      expect(await admin.post(at(admin.userId), { body })).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });

    it('a caller who is not an administrator', async () => {
      const [user, other] = [await world.user(), await world.user()];
      expect(await user.post(at(other.userId))).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });
  });

  it.each(['', '{}', '{"valid_until_ms":null}', '{"unknown":1}'])('accepts the body %j', async (rawBody) => {
    const reply = await admin.post(at(await world.account()), { rawBody });
    expect(reply).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
  });

  describe('the token', () => {
    it('authenticates as the user, without a device', async () => {
      const user = await world.user();
      const acting = await actAs(user.userId);
      const { status, body } = await acting.get(WHOAMI);
      expect([status, body]).toEqual([200, { user_id: user.userId, is_guest: false }]);
      const { body: devices } = await world.admin.get(path`/_service/admin/v2/users/${user.userId}/devices`);
      expect(devices).toMatchObject({ devices: [{ device_id: user.deviceId }], total: 1 });
    });

    it('has the rights of the user', async () => {
      const user = await actAs((await world.user()).userId);
      expect(await user.get(USERS)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      const other = await actAs((await world.user('admin', { admin: true })).userId);
      expect(await other.get(USERS)).toMatchObject({ status: 200 });
    });

    it('can be one of several', async () => {
      const user = await world.account();
      const [first, second] = [await actAs(user), await actAs(user)];
      expect(first.token).not.toBe(second.token);
      for (const acting of [first, second]) expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it.each([-1, 0, 1])('can be created expired: %j', async (valid_until_ms) => {
      const acting = await actAs(await world.account(), admin, { valid_until_ms });
      expect(await acting.get(WHOAMI)).toMatchObject(expired);
    });

    it('the login-as token is valid until its expiry time', async ({ skip }) => {
      const acting = await actAs(await world.account(), admin, { valid_until_ms: Number.MAX_SAFE_INTEGER });
      expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
      if (!world.moveClock) return skip('the set-up cannot move its clock');
      const user = await world.account();
      const { body } = await world.admin.get(path`/_service/admin/v2/users/${user}`);
      const short = await actAs(user, admin, { valid_until_ms: Number(body.creation_ts) + LIFE_MS });
      expect(await short.get(WHOAMI)).toMatchObject({ status: 200 });
      world.moveClock(LIFE_MS + 1);
      expect(await short.get(WHOAMI)).toMatchObject(expired);
    });

    it('of a locked user is refused until the user is unlocked', async () => {
      const user = await world.account();
      const target = path`/_service/admin/v2/users/${user}`;
      await world.admin.put(target, { body: { locked: true } });
      const acting = await actAs(user);
      expect(await acting.get(WHOAMI)).toMatchObject(refusal(401, 'M_USER_LOCKED', { soft_logout: true }));
      await world.admin.put(target, { body: { locked: false } });
      expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it('of a deactivated user is created, and not valid before the account is reactivated', async () => {
      const user = await world.account();
      await world.admin.post(path`/_service/admin/v1/deactivate/${user}`);
      const acting = await actAs(user);
      expect(await acting.get(WHOAMI)).toMatchObject(unknown);
      const body = { deactivated: false, password: 'again' };
      await world.admin.put(path`/_service/admin/v2/users/${user}`, { body });
      expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
    });
  });

  describe('a token', () => {
    it('ends when it is used to log out, alone', async () => {
      const user = await world.user();
      const [acting, other] = [await actAs(user.userId), await actAs(user.userId)];
      expect(await acting.post(LOGOUT)).toMatchObject({ status: 200 });
      expect(await acting.get(WHOAMI)).toMatchObject(unknown);
      for (const { get } of [other, user, admin]) expect(await get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it('ends with all sessions of the administrator, logged out from any device', async () => {
      const owner = await world.user('owner', { admin: true });
      const user = await world.user();
      const acting = await actAs(user.userId, owner);
      expect(await (await world.login(owner)).post(LOGOUT_ALL)).toMatchObject({ status: 200 });
      expect(await acting.get(WHOAMI)).toMatchObject(unknown);
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it('does not end with the device that created it', async () => {
      const owner = await world.user('owner', { admin: true });
      const acting = await actAs(await world.account(), owner);
      await owner.post(LOGOUT);
      expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it('ends with the deactivation of the administrator', async () => {
      const owner = await world.user('owner', { admin: true });
      const acting = await actAs(await world.account(), owner);
      await world.admin.post(path`/_service/admin/v1/deactivate/${owner.userId}`);
      expect(await acting.get(WHOAMI)).toMatchObject(unknown);
    });

    it('ends with the rights of the administrator', async () => {
      const [owner, other] = [
        await world.user('owner', { admin: true }),
        await world.user('other', { admin: true }),
      ];
      const acting = await actAs(other.userId, owner);
      expect((await acting.get(USERS)).status).toBe(200);
      const target = path`/_service/admin/v1/users/${owner.userId}/admin`;
      await other.put(target, { body: { admin: false } });
      expect(await acting.get(USERS)).toMatchObject(unknown);
    });

    it('ends with the deactivation of an administrator who used a token of another user to create it', async () => {
      const [owner, other] = [
        await world.user('owner', { admin: true }),
        await world.user('other', { admin: true }),
      ];
      const acting = await actAs(other.userId, owner);
      expect(await acting.post(at(owner.userId))).toMatchObject(refusal(400, 'M_UNKNOWN'));
      const further = await actAs((await world.user()).userId, acting);
      expect((await further.get(WHOAMI)).status).toBe(200);
      await admin.post(path`/_service/admin/v1/deactivate/${owner.userId}`);
      expect(await further.get(WHOAMI)).toMatchObject(unknown);
    });

    it('does not end with the sessions of the user or a new password', async () => {
      const user = await world.user();
      const acting = await actAs(user.userId);
      await user.post(LOGOUT_ALL);
      expect(await user.get(WHOAMI)).toMatchObject(unknown);
      expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
      const body = { new_password: 'another' };
      await world.admin.post(path`/_service/admin/v1/reset_password/${user.userId}`, { body });
      expect(await acting.get(WHOAMI)).toMatchObject({ status: 200 });
    });
  });

  it('a login-as token that logs out all devices ends the sessions of the user', async () => {
    const user = await world.user();
    const acting = await actAs(user.userId);
    expect(await acting.post(LOGOUT_ALL)).toMatchObject({ status: 200 });
    expect(await user.get(WHOAMI)).toMatchObject(unknown);
    expect(await admin.get(WHOAMI)).toMatchObject({ status: 200 });
    const { body } = await world.admin.get(path`/_service/admin/v2/users/${user.userId}/devices`);
    expect(body).toEqual({ devices: [], total: 0 });
  });
});
