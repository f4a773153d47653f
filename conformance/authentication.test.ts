import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const USERS = '/_service/admin/v2/users';
const WHOAMI = '/_proto/client/v3/account/whoami';

const missing = refusal(401, 'M_MISSING_TOKEN');
const unknown = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });

chapter('0.2 Authentication', (world) => {
  describe('before the body is read', () => {
    const target = `${USERS}/@somebody:test`;
    const large = Buffer.from(JSON.stringify({ displayname: 'x'.repeat(200_000) }));
    const oversized = Buffer.alloc(14 * 1024 * 1024, 0x20);

    it.each([large, oversized])('somebody without a token is refused', async (rawBody) => {
      expect(await world.http('PUT', target, { rawBody })).toMatchObject(missing);
    });

    it.each([large, oversized])('somebody unknown or not admitted is refused', async (rawBody) => {
      expect(await world.http('PUT', target, { rawBody, token: 'nobody' })).toMatchObject(unknown);
      const { token } = await world.user();
      expect(await world.http('PUT', target, { rawBody, token })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });

    it('an administrator is heard', async () => {
      const { token } = world.admin;
      expect(await world.http('PUT', target, { rawBody: large, token })).toMatchObject(
        refusal(400, 'M_UNKNOWN'),
      );
    });
  });

  it('a token longer than any is unknown, whatever is in it', async () => {
    for (const token of ['x'.repeat(513), '"'.repeat(30_000)]) {
      expect(await world.http('GET', WHOAMI, { token })).toMatchObject(unknown);
    }
    const headers = { 'user-agent': '"'.repeat(30_000) };
    const { token } = world.admin;
    expect(await world.http('GET', WHOAMI, { token, headers })).toMatchObject({ status: 200 });
  });

  describe.each([USERS, WHOAMI])('carriers of the token of %s', (target) => {
    it('no token', async () => {
      expect(await world.http('GET', target)).toMatchObject(missing);
    });

    it('the header', async () => {
      expect(await world.http('GET', target, { token: world.admin.token })).toMatchObject({ status: 200 });
    });

    it('the name of the header in any case', async () => {
      const headers = { AUTHORIZATION: `Bearer ${world.admin.token}` };
      expect(await world.http('GET', target, { headers })).toMatchObject({ status: 200 });
    });

    it('the query', async () => {
      const query = { access_token: world.admin.token };
      expect(await world.http('GET', target, { query })).toMatchObject({ status: 200 });
    });

    it('the query, encoded', async () => {
      const query = `access%5Ftoken=%${world.admin.token.charCodeAt(0).toString(16)}${world.admin.token.slice(1)}`;
      expect(await world.http('GET', target, { query })).toMatchObject({ status: 200 });
    });

    it('of several in the query, the first', async () => {
      const good = { access_token: [world.admin.token, 'nobody'] };
      expect(await world.http('GET', target, { query: good })).toMatchObject({ status: 200 });
      const bad = { access_token: ['nobody', world.admin.token] };
      expect(await world.http('GET', target, { query: bad })).toMatchObject(unknown);
    });

    it('an empty token in the query', async () => {
      expect(await world.http('GET', target, { query: 'access_token=' })).toMatchObject(unknown);
      expect(await world.http('GET', target, { query: 'access_token' })).toMatchObject(unknown);
    });

    it('header and query', async () => {
      const { token } = world.admin;
      expect(await world.http('GET', target, { token, query: { access_token: token } })).toMatchObject(
        missing,
      );
      expect(await world.http('GET', target, { token, query: 'access_token=' })).toMatchObject(missing);
    });

    it('two headers', async () => {
      const bearer = `Bearer ${world.admin.token}`;
      const headers = { authorization: [bearer, bearer] };
      expect(await world.http('GET', target, { headers })).toMatchObject(missing);
    });

    it.each([
      ['another scheme', (token: string) => `Basic ${token}`],
      ['the scheme in lower case', (token: string) => `bearer ${token}`],
      ['the scheme in upper case', (token: string) => `BEARER ${token}`],
      ['no scheme', (token: string) => token],
      ['the scheme alone', () => 'Bearer'],
      ['two spaces', (token: string) => `Bearer  ${token}`],
      ['a tab', (token: string) => `Bearer\t${token}`],
      ['a third part', (token: string) => `Bearer ${token} more`],
      ['two tokens', (token: string) => `Bearer ${token}, Bearer ${token}`],
      ['nothing', () => ''],
    ])('a header with %s', async (_, header) => {
      const headers = { authorization: header(world.admin.token) };
      expect(await world.http('GET', target, { headers })).toMatchObject(missing);
    });

    it.each(['nobody', 'x'.repeat(10_000), '%00', 'ü'])('an unknown token', async (token) => {
      expect(await world.http('GET', target, { query: { access_token: token } })).toMatchObject(unknown);
    });
  });

  describe('tokens that are no longer good', () => {
    it('of a device that was logged out', async () => {
      const user = await world.user();
      await user.post('/_proto/client/v3/logout');
      expect(await user.get(WHOAMI)).toMatchObject(unknown);
    });

    it('of a device that was deleted', async () => {
      const user = await world.user();
      await world.admin.delete(path`/_service/admin/v2/users/${user.userId}/devices/${user.deviceId}`);
      expect(await user.get(WHOAMI)).toMatchObject(unknown);
    });

    it('of an account that was deactivated', async () => {
      const user = await world.user('gone', { admin: true });
      await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
      expect(await user.get(USERS)).toMatchObject(unknown);
    });

    it('of an account whose password was changed', async () => {
      const user = await world.user();
      const body = { new_password: 'another' };
      await world.admin.post(path`/_service/admin/v1/reset_password/${user.userId}`, { body });
      expect(await user.get(WHOAMI)).toMatchObject(unknown);
    });

    it('past its time', async ({ skip }) => {
      if (!world.seed) return skip('the set-up cannot make tokens that expire');
      const user = await world.user();
      const token = await world.seed.token({ userId: user.userId, validUntilMs: 1 });
      expect(await world.http('GET', WHOAMI, { token })).toMatchObject(
        refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: true }),
      );
    });
  });

  describe('accounts that are not let in', () => {
    it('locked, until it is unlocked', async () => {
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

    it('somebody who is no administrator', async () => {
      const user = await world.user();
      expect(await user.get(USERS)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });

    it('an administrator from the moment that the flag is taken away, or given', async () => {
      const user = await world.user();
      const flag = path`/_service/admin/v1/users/${user.userId}/admin`;
      await world.admin.put(flag, { body: { admin: true } });
      expect(await user.get(USERS)).toMatchObject({ status: 200 });
      await world.admin.put(flag, { body: { admin: false } });
      expect(await user.get(USERS)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
    });
  });

  describe('the token comes before everything else of the request', () => {
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

  it('records address, program and time of what it lets in', async ({ skip }) => {
    const user = await world.user();
    const headers = { 'user-agent': 'a client/1.0' };
    expect(await user.get(WHOAMI, { headers })).toMatchObject({ status: 200 });
    await world.settle();
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
    await world.settle();
    const after = await world.admin.get<{ last_seen_ts: number }>(
      path`/_service/admin/v2/users/${user.userId}`,
    );
    expect(after.body.last_seen_ts - before.body.last_seen_ts).toBe(600_000);
  });
});
