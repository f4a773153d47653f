import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const USERS = '/_service/admin/v2/users';
const WHOAMI = '/_proto/client/v3/account/whoami';

const missing = refusal(401, 'M_MISSING_TOKEN');
const unknown = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });

chapter('0.2 Authentication', (world) => {
  describe('a token is refused', () => {
    it('when its device was logged out', async () => {
      const user = await world.user();
      await user.post('/_proto/client/v3/logout');
      expect(await user.get(WHOAMI)).toMatchObject(unknown);
    });

    it('when its device was deleted', async () => {
      const user = await world.user();
      await world.admin.delete(path`/_service/admin/v2/users/${user.userId}/devices/${user.deviceId}`);
      expect(await user.get(WHOAMI)).toMatchObject(unknown);
    });

    it('when its account was deactivated', async () => {
      const user = await world.user('gone', { admin: true });
      await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
      expect(await user.get(USERS)).toMatchObject(unknown);
    });

    it('when the password of its account was changed', async () => {
      const user = await world.user();
      const body = { new_password: 'another' };
      await world.admin.post(path`/_service/admin/v1/reset_password/${user.userId}`, { body });
      expect(await user.get(WHOAMI)).toMatchObject(unknown);
    });

    it('when it has expired', async ({ skip }) => {
      if (!world.seed) return skip('the set-up cannot make tokens that expire');
      const user = await world.user();
      const token = await world.seed.token({ userId: user.userId, validUntilMs: 1 });
      expect(await world.http('GET', WHOAMI, { token })).toMatchObject(
        refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: true }),
      );
    });
  });

  describe('the admin API refuses', () => {
    it('a locked administrator, until the account is unlocked', async () => {
      const user = await world.user('locked', { admin: true });
      await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body: { locked: true } });
      const locked = refusal(401, 'M_USER_LOCKED', { soft_logout: true });
      expect(await user.get(USERS)).toMatchObject(locked);
      expect(await user.get(WHOAMI)).toMatchObject(locked);
      await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body: { locked: false } });
      expect(await user.get(USERS)).toMatchObject({ status: 200 });
    });

    it('a guest', async ({ skip }) => {
      if (!world.seed) return skip('the set-up cannot make guests');
      const user = await world.user('guest', { admin: true });
      await world.seed.account(user.userId, { is_guest: true });
      expect(await user.get(USERS)).toMatchObject(refusal(403, 'M_GUEST_ACCESS_FORBIDDEN'));
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200, body: { is_guest: true } });
    });

    it('a user who is not an administrator', async () => {
      const user = await world.user();
      expect(await user.get(USERS)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });

    it('a user as soon as their administrator flag is revoked', async () => {
      const user = await world.user();
      const flag = path`/_service/admin/v1/users/${user.userId}/admin`;
      await world.admin.put(flag, { body: { admin: true } });
      expect(await user.get(USERS)).toMatchObject({ status: 200 });
      await world.admin.put(flag, { body: { admin: false } });
      expect(await user.get(USERS)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });
  });

  describe('the token is checked before anything else in the request', () => {
    it.each([
      ['GET', '/_service/admin/v2/users/nobody', undefined],
      ['GET', '/_service/admin/v2/users?limit=x', undefined],
      ['PUT', '/_service/admin/v2/users/nobody', 'no JSON'],
      ['POST', '/_service/admin/v1/deactivate/@nobody:elsewhere', 'no JSON'],
      ['POST', '/_service/admin/v1/reset_password/nobody', ''],
      ['PUT', '/_service/admin/v1/users/nobody/admin', '[]'],
      ['GET', '/_service/admin/v1/username_available', undefined],
      ['POST', '/_service/admin/v2/users/nobody/devices', '{}'],
    ])('%s %s', async (verb, target, rawBody) => {
      const plain = await world.user();
      const request = rawBody === undefined ? {} : { rawBody };
      expect(await world.http(verb, target, request)).toMatchObject(missing);
      expect(await world.http(verb, target, { ...request, token: 'nobody' })).toMatchObject(unknown);
      expect(await world.http(verb, target, { ...request, token: plain.token })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
    });
  });

  it('the last use of a token records address, user agent and time', async ({ skip }) => {
    const user = await world.user();
    const headers = { 'user-agent': 'a client/1.0' };
    expect(await user.get(WHOAMI, { headers })).toMatchObject({ status: 200 });
    await world.whenIdle();
    const device = path`/_service/admin/v2/users/${user.userId}/devices/${user.deviceId}`;
    expect((await world.admin.get(device)).body).toMatchObject({
      last_seen_ip: expect.stringMatching(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/),
      last_seen_user_agent: 'a client/1.0',
      last_seen_ts: expect.any(Number),
    });
    if (!world.moveClock) return skip('the set-up cannot move its clock');
    const before = await world.admin.get<{ last_seen_ts: number }>(
      path`/_service/admin/v2/users/${user.userId}`,
    );
    world.moveClock(600_000);
    await user.get(WHOAMI);
    await world.whenIdle();
    const after = await world.admin.get<{ last_seen_ts: number }>(
      path`/_service/admin/v2/users/${user.userId}`,
    );
    expect(after.body.last_seen_ts - before.body.last_seen_ts).toBe(600_000);
  });
});
