import { path } from '@steward/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneProcessChapter, pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const PASSWORD = 'm.login.password';

const forbidden = refusal(403, 'M_FORBIDDEN');
const unknownToken = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });

interface Session {
  user_id: string;
  access_token: string;
  home_server: string;
  device_id: string;
}

pairedChapter('7.2 Logging in and out', (world) => {
  describe.each(['v3', 'r0'])('at %s', (version) => {
    const LOGIN = `/_proto/client/${version}/login`;
    const LOGOUT = `/_proto/client/${version}/logout`;
    const LOGOUT_ALL = `/_proto/client/${version}/logout/all`;
    const WHOAMI = `/_proto/client/${version}/account/whoami`;

    const login = (body: unknown) => world.http<Session>('POST', LOGIN, { body });
    const userNamed = (user: string) => ({ type: 'm.id.user', user });
    const whoAmI = (token: string) => world.http('GET', WHOAMI, { token });

    let user: Awaited<ReturnType<typeof world.user>>;
    beforeAll(async () => {
      user = await world.user('alice');
    });

    it('the login types are listed', async () => {
      expect(await world.http('GET', LOGIN)).toMatchObject({
        status: 200,
        body: { flows: [{ type: PASSWORD }] },
      });
    });

    describe('logging in', () => {
      it('returns a session', async () => {
        const { password, userId } = user;
        const { status, body } = await login({ type: PASSWORD, identifier: userNamed(userId), password });
        expect(status).toBe(200);
        expect(body).toEqual({
          user_id: userId,
          access_token: expect.stringMatching(/^[A-Za-z0-9_.~-]{1,512}$/),
          home_server: world.serverName,
          device_id: expect.stringMatching(/^[A-Z]{10}$/),
        });
        expect((await whoAmI(body.access_token)).body).toEqual({
          user_id: userId,
          is_guest: false,
          device_id: body.device_id,
        });
      });

      it('accepts a localpart, an id, any letter case and the legacy keys', async () => {
        const { password, userId, localpart } = user;
        for (const credentials of [
          { identifier: userNamed(localpart) },
          { identifier: userNamed(userId) },
          { identifier: userNamed(localpart.toUpperCase()) },
          { user: localpart },
          { user: userId, identifier: userNamed('nobody') },
          { identifier: userNamed(userId), device_id: null, initial_device_display_name: null },
        ]) {
          const reply = await login({ type: PASSWORD, password, ...credentials });
          expect(reply, JSON.stringify(credentials)).toMatchObject({
            status: 200,
            body: { user_id: userId },
          });
        }
      });

      it('accepts an address', async () => {
        const { password, userId } = user;
        const address = `${world.freshName('mail')}@example.org`;
        await world.admin.put(path`/_service/admin/v2/users/${userId}`, {
          body: { threepids: [{ medium: 'email', address }] },
        });
        const spelling = address.toUpperCase();
        for (const credentials of [
          { identifier: { type: 'm.id.thirdparty', medium: 'email', address } },
          { identifier: { type: 'm.id.thirdparty', medium: 'email', address: spelling } },
          { medium: 'email', address },
        ]) {
          const reply = await login({ type: PASSWORD, password, ...credentials });
          expect(reply, JSON.stringify(credentials)).toMatchObject({
            status: 200,
            body: { user_id: userId },
          });
        }
        const nobody = { type: 'm.id.thirdparty', medium: 'email', address: 'nobody@example.org' };
        expect(await login({ type: PASSWORD, password, identifier: nobody })).toMatchObject(forbidden);
      });

      describe('with a telephone number', () => {
        const national = version === 'v3' ? '07700900041' : '07700900042';
        const address = national.replace('0', '44');

        it.each([
          { type: 'm.id.thirdparty', medium: 'msisdn', address },
          { type: 'm.id.phone', country: 'GB', phone: national },
          { type: 'm.id.phone', country: 'GB', number: national },
        ])('accepts the identifier %j', async (identifier) => {
          const { password, userId } = user;
          const body = { threepids: [{ medium: 'msisdn', address }] };
          await world.admin.put(path`/_service/admin/v2/users/${userId}`, { body });
          const reply = await login({ type: PASSWORD, password, identifier });
          expect(reply).toMatchObject({ status: 200, body: { user_id: userId } });
        });
      });

      it('uses the given id and name of the device', async () => {
        const { password, userId } = user;
        const credentials = { type: PASSWORD, password, user: userId };
        const first = await login({
          ...credentials,
          device_id: 'PHONE',
          initial_device_display_name: 'Phone',
        });
        expect(first).toMatchObject({ status: 200, body: { device_id: 'PHONE' } });
        const again = await login({
          ...credentials,
          device_id: 'PHONE',
          initial_device_display_name: 'Other',
        });
        expect(again).toMatchObject({ status: 200, body: { device_id: 'PHONE' } });
        expect(await whoAmI(first.body.access_token)).toMatchObject(unknownToken);
        expect(await whoAmI(again.body.access_token)).toMatchObject({ status: 200 });
        const device = await world.admin.get(path`/_service/admin/v2/users/${userId}/devices/PHONE`);
        expect(device.body.display_name).toBe('Phone');
      });

      it.each([
        ['no body', '', 400, 'M_NOT_JSON'],
        ['no object', '[]', 400, 'M_BAD_JSON'],
        ['an unknown type', '{"type":"m.login.token","token":"x"}', 400, 'M_UNKNOWN'],
        ['a type that is not a string', '{"type":1}', 400, 'M_UNKNOWN'],
        ['nobody', '{"type":"m.login.password","password":"x"}', 400, 'M_INVALID_PARAM'],
        [
          'an identifier without a type',
          '{"type":"m.login.password","password":"x","identifier":{"user":"a"}}',
          400,
          'M_MISSING_PARAM',
        ],
        [
          'an unknown type of identifier',
          '{"type":"m.login.password","password":"x","identifier":{"type":"m.id.x"}}',
          400,
          'M_UNKNOWN',
        ],
        ['no password', '{"type":"m.login.password","user":"a"}', 400, 'M_INVALID_PARAM'],
        [
          'a password that is not a string',
          '{"type":"m.login.password","user":"a","password":1}',
          400,
          'M_INVALID_PARAM',
        ],
        ['an unknown user', '{"type":"m.login.password","user":"nobody","password":"x"}', 403, 'M_FORBIDDEN'],
        [
          'a user of another server',
          '{"type":"m.login.password","user":"@a:elsewhere","password":"x"}',
          403,
          'M_FORBIDDEN',
        ],
      ])('refuses %s', async (_, rawBody, status, errcode) => {
        expect(await world.http('POST', LOGIN, { rawBody })).toMatchObject(refusal(status, errcode));
      });

      it('refuses a body without a type', async () => {
        const reply = await login({ user: user.userId, password: user.password });
        expect(reply.status).toBe(400);
        expect(['M_UNKNOWN', 'M_MISSING_PARAM']).toContain((reply.body as { errcode?: string }).errcode);
      });

      it('refuses a device id of 513 characters, and a name of 101', async () => {
        const credentials = { type: PASSWORD, password: user.password, user: user.userId };
        expect(await login({ ...credentials, device_id: 'x'.repeat(513) })).toMatchObject(
          refusal(400, 'M_INVALID_PARAM'),
        );
        expect(await login({ ...credentials, initial_device_display_name: 'x'.repeat(101) })).toMatchObject(
          refusal(400, 'M_TOO_LARGE'),
        );
        expect(await login({ ...credentials, device_id: '..' })).toMatchObject({ status: 400 });
        expect(await login({ ...credentials, device_id: 'x'.repeat(512) })).toMatchObject({ status: 200 });
      });

      it('does not reveal why it failed', async () => {
        const gone = await world.user('gone');
        await world.admin.post(path`/_service/admin/v1/deactivate/${gone.userId}`);
        const passwordless = await world.account('passwordless');
        const answers: string[] = [];
        for (const [credentials, password] of [
          [user.userId, 'wrong'],
          [user.userId, ''],
          ['nobody', 'wrong'],
          ['@a:elsewhere', 'wrong'],
          [gone.userId, gone.password],
          [passwordless, ''],
        ] as const) {
          const reply = await login({ type: PASSWORD, identifier: userNamed(credentials), password });
          expect(reply).toMatchObject(forbidden);
          answers.push(reply.text);
        }
        expect(new Set(answers).size).toBe(1);
      });

      it('refuses a locked account after the password was verified', async () => {
        const locked = await world.user('locked');
        await world.admin.put(path`/_service/admin/v2/users/${locked.userId}`, { body: { locked: true } });
        const attempt = (password: string) => login({ type: PASSWORD, user: locked.userId, password });
        expect(await attempt(locked.password)).toMatchObject(
          refusal(401, 'M_USER_LOCKED', { soft_logout: true }),
        );
        expect(await attempt('wrong')).toMatchObject(forbidden);
      });

      it('ignores the token', async () => {
        const body = { type: PASSWORD, user: user.userId, password: user.password };
        expect(await world.http('POST', LOGIN, { token: 'nobody', body })).toMatchObject({ status: 200 });
      });
    });

    describe('logging out', () => {
      it('ends the session and removes its device', async () => {
        const [first, second] = [await world.login(user), await world.login(user)];
        expect(await first.post(LOGOUT)).toMatchObject({ status: 200, text: '{}' });
        expect(await whoAmI(first.token)).toMatchObject(unknownToken);
        expect(await whoAmI(second.token)).toMatchObject({ status: 200 });
        const device = path`/_service/admin/v2/users/${user.userId}/devices/${first.deviceId}`;
        expect(await world.admin.get(device)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
        expect(await first.post(LOGOUT)).toMatchObject(unknownToken);
      });

      it('of all devices ends all sessions', async () => {
        const alice = await world.user('alice');
        const other = await world.login(alice);
        const bystander = await world.user('bystander');
        expect(await alice.post(LOGOUT_ALL)).toMatchObject({ status: 200, text: '{}' });
        await world.whenIdle();
        for (const { token } of [alice, other]) expect(await whoAmI(token)).toMatchObject(unknownToken);
        expect(await whoAmI(bystander.token)).toMatchObject({ status: 200 });
        const devices = await world.admin.get(path`/_service/admin/v2/users/${alice.userId}/devices`);
        expect(devices.body.total).toBe(0);
        expect(await world.login(alice)).toMatchObject({ userId: alice.userId });
      });

      it('with a token without a device ends that token only', async ({ skip }) => {
        if (!world.seed) return skip('the set-up cannot make tokens without a device');
        const token = await world.seed.token({ userId: user.userId });
        const session = await world.login(user);
        expect(await world.http('POST', LOGOUT, { token })).toMatchObject({ status: 200 });
        expect(await whoAmI(token)).toMatchObject(unknownToken);
        expect(await whoAmI(session.token)).toMatchObject({ status: 200 });
      });

      it.each([LOGOUT, LOGOUT_ALL])('%s is open to locked accounts', async (target) => {
        const locked = await world.user('locked');
        await world.admin.put(path`/_service/admin/v2/users/${locked.userId}`, { body: { locked: true } });
        expect(await locked.post(target)).toMatchObject({ status: 200 });
        expect(await whoAmI(locked.token)).toMatchObject(unknownToken);
      });

      it.each([LOGOUT, LOGOUT_ALL])('%s requires a token', async (target) => {
        expect(await world.http('POST', target)).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
      });
    });

    describe('whoami', () => {
      it('returns no device for a token without one', async ({ skip }) => {
        if (!world.seed) return skip('the set-up cannot make tokens without a device');
        const token = await world.seed.token({ userId: user.userId });
        expect((await whoAmI(token)).body).toEqual({ user_id: user.userId, is_guest: false });
      });
    });
  });
});

oneProcessChapter(
  '7.2 Logging in with passwords disabled',
  (world) => {
    it('logging in with passwords disabled is not offered', async () => {
      const { body } = await world.http<{ flows: { type: string }[] }>('GET', '/_proto/client/v3/login');
      expect(body.flows.map(({ type }) => type)).not.toContain(PASSWORD);
    });

    it('logging in with passwords disabled is refused as an unknown login type', async () => {
      const body = { type: PASSWORD, user: world.admin.userId, password: world.admin.password };
      expect(await world.http('POST', '/_proto/client/v3/login', { body })).toMatchObject(
        refusal(400, 'M_UNKNOWN'),
      );
    });
  },
  { config: { passwords: { enabled: false } } },
);
