import { path, registrationMac } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { oneProcessChapter, pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const REGISTER = '/_service/admin/v1/register';
const WHOAMI = '/_proto/client/v3/account/whoami';

/** The lifetime of a nonce, in milliseconds. */
const NONCE_LIFE_MS = 60_000;

interface Registered {
  user_id: string;
  home_server: string;
  access_token: string;
  device_id: string;
}

pairedChapter('1 Shared-secret registration', (world) => {
  async function nonce(): Promise<string> {
    return (await world.http<{ nonce: string }>('GET', REGISTER)).body.nonce;
  }

  const mac = (input: Parameters<typeof registrationMac>[1]) =>
    registrationMac(world.running.sharedSecret ?? '', input);

  /** A valid body. */
  async function goodBody(username = world.freshName('new')) {
    const input = { nonce: await nonce(), username, password: 'secret' };
    return { ...input, mac: mac(input) };
  }

  const post = (body: unknown) => world.http<Registered>('POST', REGISTER, { body });
  const readUser = async (userId: string) =>
    (await world.admin.get(path`/_service/admin/v2/users/${userId}`)).body;

  describe('1.1 the nonce', () => {
    it('the registration nonce is returned to any caller, a different one each time', async () => {
      const first = await world.http('GET', REGISTER);
      expect(first).toMatchObject({ status: 200, body: { nonce: expect.stringMatching(/^.{16,}$/) } });
      expect(Object.keys(first.body)).toEqual(['nonce']);
      expect(await nonce()).not.toBe(first.body.nonce);
    });

    it('the registration nonce is returned with any token', async () => {
      expect(await world.http('GET', REGISTER, { token: 'nobody' })).toMatchObject({ status: 200 });
      const headers = { authorization: 'Basic x' };
      expect(await world.http('GET', REGISTER, { headers, query: 'access_token=x' })).toMatchObject({
        status: 200,
      });
    });

    it('the registration nonce is accepted once', async () => {
      const body = await goodBody();
      expect(await post(body)).toMatchObject({ status: 200 });
      const { nonce } = body;
      const again = { nonce, username: world.freshName(), password: 'x' };
      expect(await post({ ...again, mac: mac(again) })).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });

    it('the registration nonce is consumed by a request that fails later', async () => {
      const body = await goodBody();
      expect(await post({ ...body, mac: 'wrong' })).toMatchObject(refusal(403, 'M_UNKNOWN'));
      expect(await post(body)).toMatchObject(refusal(400, 'M_UNKNOWN'));
      const other = await goodBody();
      expect(await post({ nonce: other.nonce })).toMatchObject(refusal(400, 'M_BAD_JSON'));
      expect(await post(other)).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });

    it('the registration nonce is not consumed by a malformed request', async () => {
      const body = await goodBody();
      const rawBody = JSON.stringify(body).slice(0, -1);
      expect(await world.http('POST', REGISTER, { rawBody })).toMatchObject(refusal(400, 'M_NOT_JSON'));
      expect(await post(body)).toMatchObject({ status: 200 });
    });

    it('the registration nonce is valid for 60 seconds', async ({ skip }) => {
      if (!world.moveClock) return skip('the set-up cannot move its clock');
      const [inTime, late] = [await goodBody(), await goodBody()];
      world.moveClock(NONCE_LIFE_MS);
      expect(await post(inTime)).toMatchObject({ status: 200 });
      world.moveClock(1);
      expect(await post(late)).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });
  });

  describe('1.2 the checks', () => {
    it.each([
      ['no body', '', 'M_NOT_JSON'],
      ['no JSON', 'username=x', 'M_NOT_JSON'],
      ['no object', '[]', 'M_BAD_JSON'],
    ])('refuse %s', async (_, rawBody, errcode) => {
      expect(await world.http('POST', REGISTER, { rawBody })).toMatchObject(refusal(400, errcode));
    });

    it.each([
      ['no nonce', { nonce: undefined }, 400, 'M_BAD_JSON'],
      ['an unknown nonce', { nonce: 'x'.repeat(128) }, 400, 'M_UNKNOWN'],
      ['an empty nonce', { nonce: '' }, 400, 'M_UNKNOWN'],
      ['a nonce that is not a string', { nonce: 1 }, 400, 'M_UNKNOWN'],
      ['no user name', { username: undefined }, 400, 'M_BAD_JSON'],
      ['a user name that is not a string', { username: 1 }, 400, 'M_UNKNOWN'],
      ['a user name that is null', { username: null }, 400, 'M_UNKNOWN'],
      ['a user name of 513 characters', { username: 'a'.repeat(513) }, 400, 'M_UNKNOWN'],
      ['a user name with a NUL', { username: 'a\0b' }, 400, 'M_UNKNOWN'],
      ['no password', { password: undefined }, 400, 'M_BAD_JSON'],
      ['a password that is not a string', { password: [] }, 400, 'M_UNKNOWN'],
      ['a password that is null', { password: null }, 400, 'M_UNKNOWN'],
      ['a password of 513 characters', { password: 'a'.repeat(513) }, 400, 'M_UNKNOWN'],
      ['a password with a NUL', { password: 'a\0b' }, 400, 'M_UNKNOWN'],
      ['an unknown user type', { user_type: 'human' }, 400, 'M_UNKNOWN'],
      ['an empty user type', { user_type: '' }, 400, 'M_UNKNOWN'],
      ['a user type that is not a string', { user_type: 1 }, 400, 'M_UNKNOWN'],
      ['no MAC', { mac: undefined }, 400, 'M_BAD_JSON'],
      ['a wrong MAC', { mac: 'a'.repeat(40) }, 403, 'M_UNKNOWN'],
      ['a MAC of another length', { mac: 'a' }, 403, 'M_UNKNOWN'],
      ['an empty MAC', { mac: '' }, 403, 'M_UNKNOWN'],
      ['a MAC that is not a string', { mac: 1 }, 403, 'M_UNKNOWN'],
      ['a MAC that is null', { mac: null }, 403, 'M_UNKNOWN'],
      ['a MAC of other characters', { mac: 'ü'.repeat(40) }, 403, 'M_UNKNOWN'],
    ])('refuse %s', async (_, changed, status, errcode) => {
      const { total } = (await world.admin.get('/_service/admin/v2/users?limit=0')).body;
      expect(await post({ ...(await goodBody()), ...changed })).toMatchObject(refusal(status, errcode));
      expect((await world.admin.get('/_service/admin/v2/users?limit=0')).body.total).toBe(total);
    });

    it('refuse a MAC in upper case', async () => {
      const body = await goodBody();
      expect(await post({ ...body, mac: body.mac.toUpperCase() })).toMatchObject(refusal(403, 'M_UNKNOWN'));
    });

    it.each([
      ['nonce', {}],
      ['role', { admin: true }],
      ['user type', { user_type: 'bot' }],
      ['password', { password: 'another' }],
      ['user name', { username: 'another' }],
    ])('refuse a MAC over another %s', async (what, changed) => {
      const body = { ...(await goodBody()), ...changed };
      if (what === 'nonce') body.nonce = await nonce();
      expect(await post(body)).toMatchObject(refusal(403, 'M_UNKNOWN'));
    });

    it('the first failing check determines the refusal', async () => {
      const invalid: Record<string, unknown> = { username: 1, password: 1, user_type: 1, mac: 1 };
      const steps: [Record<string, unknown>, number, string][] = [
        [{ nonce: undefined }, 400, 'M_BAD_JSON'],
        [{ nonce: 'unknown', username: undefined }, 400, 'M_UNKNOWN'],
        [{ username: undefined }, 400, 'M_BAD_JSON'],
        [{ password: undefined }, 400, 'M_UNKNOWN'],
        [{ username: 'A B', password: undefined }, 400, 'M_BAD_JSON'],
        [{ username: 'A B', password: 1, mac: undefined }, 400, 'M_UNKNOWN'],
        [{ username: 'A B', password: 'x', mac: undefined }, 400, 'M_UNKNOWN'],
        [{ username: 'A B', password: 'x', user_type: null, mac: undefined }, 400, 'M_BAD_JSON'],
        [{ username: 'A B', password: 'x', user_type: null }, 403, 'M_UNKNOWN'],
      ];
      for (const [changed, status, errcode] of steps) {
        const body = { nonce: await nonce(), ...invalid, ...changed };
        expect(await post(body), JSON.stringify(changed)).toMatchObject(refusal(status, errcode));
      }
    });

    it.each([
      ['empty', ''],
      ['white space', 'a b'],
      ['a non-ASCII letter', 'zoë'],
      ['a colon', 'a:b'],
      ['an at sign', '@a'],
      ['a leading underscore', '_a'],
      ['digits only', '12345'],
      ['512 characters, too long for an id', 'a'.repeat(512)],
    ])('refuse an invalid user name: %s', async (_, username) => {
      expect(await world.register({ username, password: 'x' })).toMatchObject(
        refusal(400, 'M_INVALID_USERNAME'),
      );
    });

    it('refuse a user name that is taken, in any case, also by a deactivated account', async () => {
      const { localpart, userId } = await world.user('taken');
      for (const username of [localpart, localpart.toUpperCase()]) {
        expect(await world.register({ username, password: 'x' })).toMatchObject(
          refusal(400, 'M_USER_IN_USE'),
        );
      }
      await world.admin.post(path`/_service/admin/v1/deactivate/${userId}`);
      expect(await world.register({ username: localpart, password: 'x' })).toMatchObject(
        refusal(400, 'M_USER_IN_USE'),
      );
    });
  });

  describe('success', () => {
    it('creates an account and logs in a device', async () => {
      const body = await goodBody();
      const reply = await post(body);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({
        user_id: world.userId(body.username),
        home_server: world.serverName,
        access_token: expect.stringMatching(/./),
        device_id: expect.stringMatching(/./),
      });
      expect(await world.http('GET', WHOAMI, { token: reply.body.access_token })).toMatchObject({
        status: 200,
        body: { user_id: reply.body.user_id, device_id: reply.body.device_id },
      });
      expect(await readUser(reply.body.user_id)).toMatchObject({
        admin: 0,
        user_type: null,
        displayname: body.username,
      });
    });

    it('lower-cases the name; the MAC covers the given spelling', async () => {
      const username = world.freshName('MixedCase');
      const { status, body } = await world.register<Registered>({ username, password: 'x' });
      expect(status).toBe(200);
      expect(body.user_id).toBe(world.userId(username.toLowerCase()));
      expect((await readUser(body.user_id)).displayname).toBe(username.toLowerCase());
      const other = await goodBody(world.freshName('Other'));
      const lower = { ...other, username: other.username.toLowerCase() };
      expect(await post({ ...other, mac: mac(lower) })).toMatchObject(refusal(403, 'M_UNKNOWN'));
    });

    it.each([
      [true, 1],
      [1, 1],
      ['false', 1],
      [[0], 1],
      [{ a: 1 }, 1],
      [false, 0],
      [0, 0],
      ['', 0],
      [[], 0],
      [{}, 0],
      [null, 0],
    ])('interprets admin %j by its truthiness', async (admin, stored) => {
      const input = { nonce: await nonce(), username: world.freshName(), password: 'x' };
      const { status, body } = await post({ ...input, admin, mac: mac({ ...input, admin: stored === 1 }) });
      expect(status).toBe(200);
      expect((await readUser(body.user_id)).admin).toBe(stored);
    });

    it.each(['bot', 'support'])('stores the user type %s, which the MAC covers', async (userType) => {
      const reply = await world.register<Registered>({
        username: world.freshName(),
        password: 'x',
        userType,
      });
      expect(reply.status).toBe(200);
      expect((await readUser(reply.body.user_id)).user_type).toBe(userType);
    });

    it('accepts null as no user type', async () => {
      const reply = await post({ ...(await goodBody()), user_type: null });
      expect(reply.status).toBe(200);
      expect((await readUser(reply.body.user_id)).user_type).toBeNull();
    });

    it.each([
      ['A Name', 'A Name'],
      ['', null],
    ])('accepts the display name %j', async (displayname, stored) => {
      const reply = await post({ ...(await goodBody()), displayname });
      expect(reply.status).toBe(200);
      expect((await readUser(reply.body.user_id)).displayname).toBe(stored);
    });

    it('uses the given id and name of the device', async () => {
      const device = { device_id: 'PHONE', initial_device_display_name: 'My phone' };
      const { body } = await post({ ...(await goodBody()), ...device });
      expect(body.device_id).toBe('PHONE');
      const shown = await world.admin.get(path`/_service/admin/v2/users/${body.user_id}/devices/PHONE`);
      expect(shown.body.display_name).toBe('My phone');
    });

    it.each(['.', '..'])('refuses a device with the id %s, which no path can name', async (id) => {
      const { status, body } = await post({ ...(await goodBody()), device_id: id });
      expect({ status, body }).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it.each([true, 1, 'x'])('creates no device with inhibit_login %j', async (inhibit_login) => {
      const reply = await post({ ...(await goodBody()), inhibit_login });
      expect(reply.status).toBe(200);
      expect(Object.keys(reply.body).sort()).toEqual(['home_server', 'user_id']);
      const devices = await world.admin.get(path`/_service/admin/v2/users/${reply.body.user_id}/devices`);
      expect(devices.body.total).toBe(0);
    });

    it.each([false, 0, '', null])('creates a device with inhibit_login %j', async (inhibit_login) => {
      expect((await post({ ...(await goodBody()), inhibit_login })).body.device_id).toBeTruthy();
    });

    it('sets the password', async () => {
      const user = await world.user();
      expect(await world.login(user)).toMatchObject({ userId: user.userId });
    });

    it('accepts names and passwords of any length up to the limit', async () => {
      const username = world.freshName('long').padEnd(255 - '@:'.length - world.serverName.length, 'x');
      const password = '😀'.repeat(512);
      expect(await world.register({ username, password })).toMatchObject({ status: 200 });
    });

    it('ignores a token, valid or not', async () => {
      for (const token of ['nobody', world.admin.token]) {
        const reply = await world.http('POST', REGISTER, { token, body: await goodBody() });
        expect(reply.status).toBe(200);
      }
    });
  });
});

oneProcessChapter(
  '1 Shared-secret registration without a secret',
  (world) => {
    it('shared-secret registration without a secret is not available', async () => {
      expect(await world.http('GET', REGISTER)).toMatchObject(refusal(400, 'M_UNKNOWN'));
      for (const rawBody of ['', 'no JSON', '{}']) {
        expect(await world.http('POST', REGISTER, { rawBody })).toMatchObject(refusal(400, 'M_UNKNOWN'));
      }
      const input = { nonce: 'x', username: 'x', password: 'x' };
      const body = { ...input, mac: registrationMac('', input) };
      expect(await world.http('POST', REGISTER, { body })).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });
  },
  { config: { registration: { shared_secret: '' } } },
);
