import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter, oneProcessChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const DUMMY = { type: 'm.login.dummy' };

/** The lifetime of a session of user-interactive authentication, in milliseconds. */
const SESSION_LIFE_MS = 48 * 60 * 60 * 1000;

interface Registered {
  user_id: string;
  home_server: string;
  access_token: string;
  device_id: string;
  session: string;
}

chapter('7.3 Registration by clients', (world) => {
  describe.each(['v3', 'r0'])('at %s', (version) => {
    const REGISTER = `/_proto/client/${version}/register`;

    const register = (body: unknown, query = '') =>
      world.http<Registered>('POST', REGISTER + query, { body });

    describe('2.4 user-interactive authentication', () => {
      it('first requests a stage', async () => {
        const { status, body } = await register({ username: world.freshName(), password: 'x' });
        expect(status).toBe(401);
        expect(body).toEqual({
          flows: [{ stages: ['m.login.dummy'] }],
          params: {},
          session: expect.stringMatching(/./),
        });
      });

      it('registers and logs in after the stage', async () => {
        const username = world.freshName();
        const { session } = (await register({ username, password: 'secret' })).body;
        const { status, body } = await register({
          username,
          password: 'secret',
          auth: { ...DUMMY, session },
        });
        expect(status).toBe(200);
        expect(body).toEqual({
          user_id: world.userId(username),
          home_server: world.serverName,
          access_token: expect.stringMatching(/./),
          device_id: expect.stringMatching(/^[A-Z]{10}$/),
        });
        const whoAmI = await world.http('GET', '/_proto/client/v3/account/whoami', {
          token: body.access_token,
        });
        expect(whoAmI.body).toEqual({ user_id: body.user_id, is_guest: false, device_id: body.device_id });
        const account = await world.admin.get(path`/_service/admin/v2/users/${body.user_id}`);
        expect(account.body).toMatchObject({ displayname: username, admin: 0, user_type: null });
        const list = await world.admin.get<{ total: number }>('/_service/admin/v2/users', {
          query: { name: username },
        });
        expect(list.body.total).toBe(1);
      });

      it('accepts request and stage in one request', async () => {
        const body = { username: world.freshName(), password: 'x', auth: DUMMY };
        expect(await register(body)).toMatchObject({ status: 200 });
      });

      it('uses the body of the first request when the next has none', async () => {
        const username = world.freshName();
        const { session } = (await register({ username, password: 'secret', device_id: 'PHONE' })).body;
        expect(await register({ auth: { ...DUMMY, session } })).toMatchObject({
          status: 200,
          body: { user_id: world.userId(username), device_id: 'PHONE' },
        });
      });

      it('uses the body of the last request when it has one', async () => {
        const [first, last] = [world.freshName(), world.freshName()];
        const { session } = (await register({ username: first, password: 'x' })).body;
        expect(await register({ username: last, password: 'x', auth: { ...DUMMY, session } })).toMatchObject({
          status: 200,
          body: { user_id: world.userId(last) },
        });
      });

      it('answers a repeated request with the same account', async () => {
        const username = world.freshName();
        const request = { username, password: 'x' };
        const { session } = (await register(request)).body;
        const finished = { ...request, auth: { ...DUMMY, session } };
        expect(await register(finished)).toMatchObject({ status: 200 });
        expect(await register(finished)).toMatchObject({
          status: 200,
          body: { user_id: world.userId(username) },
        });
      });

      it('creates one account for two concurrent completions', async () => {
        for (const username of [world.freshName(), undefined]) {
          const { session } = (await register({ username, password: 'secret' })).body;
          const finish = () => register({ auth: { ...DUMMY, session } });
          const replies = await Promise.all([finish(), finish(), finish()]);
          expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
          expect(new Set(replies.map(({ body }) => body.user_id)).size).toBe(1);
        }
      });

      it('refuses to log in through a finished session after a password reset', async () => {
        const username = world.freshName();
        const { session } = (await register({ username, password: 'secret' })).body;
        const finish = () => register({ auth: { ...DUMMY, session } });
        expect((await finish()).status).toBe(200);
        await world.admin.post(path`/_service/admin/v1/reset_password/${world.userId(username)}`, {
          body: { new_password: 'other' },
        });
        expect(await finish()).toMatchObject(refusal(400, 'M_USER_IN_USE'));
      });

      it('uses the named session', async () => {
        const { session } = (await register({ username: world.freshName(), password: 'x' })).body;
        expect(await register({ auth: { session } })).toMatchObject({ status: 401, body: { session } });
        const other = await register({ auth: { session, type: 'm.login.other' } });
        expect(other).toMatchObject({
          status: 401,
          body: { session, completed: [], errcode: 'M_UNRECOGNIZED' },
        });
      });

      it('refuses an unknown session', async () => {
        const body = { username: world.freshName(), password: 'x', auth: { ...DUMMY, session: 'unknown' } };
        expect(await register(body)).toMatchObject(refusal(400, 'M_UNKNOWN'));
      });

      it('refuses a session after 48 hours', async ({ skip }) => {
        if (!world.moveClock) return skip('the set-up cannot move its clock');
        const request = { username: world.freshName(), password: 'x' };
        const { session } = (await register(request)).body;
        world.moveClock(SESSION_LIFE_MS + 1);
        expect(await register({ ...request, auth: { ...DUMMY, session } })).toMatchObject(
          refusal(400, 'M_UNKNOWN'),
        );
      });

      it('repeats the request for a stage after an unknown stage', async () => {
        const body = { username: world.freshName(), password: 'x', auth: { type: 'm.login.recaptcha' } };
        const reply = await register(body);
        expect([400, 401]).toContain(reply.status);
        expect(reply.body).not.toHaveProperty('access_token');
      });
    });

    describe('the name', () => {
      it('the name of a new account is lower-cased', async () => {
        const username = world.freshName('MixedCase');
        expect(await register({ username, password: 'x', auth: DUMMY })).toMatchObject({
          status: 200,
          body: { user_id: world.userId(username.toLowerCase()) },
        });
      });

      it('the name of a new account is generated by the server if absent', async () => {
        const [one, two] = [
          await register({ password: 'x', auth: DUMMY }),
          await register({ password: 'x', auth: DUMMY }),
        ];
        expect([one.status, two.status]).toEqual([200, 200]);
        expect(one.body.user_id).toMatch(/^@[a-z0-9._=/+-]+:test$/);
        expect(one.body.user_id).not.toBe(two.body.user_id);
      });

      it.each(['', 'a b', 'zoë', 'a:b', '_a', '12345', 'a'.repeat(255), 'a'.repeat(512)])(
        'is refused as %j, before a stage is requested',
        async (username) => {
          expect(await register({ username, password: 'x' })).toMatchObject(
            refusal(400, 'M_INVALID_USERNAME'),
          );
        },
      );

      it.each([1, [], {}, true, 'a'.repeat(513)])('is refused when it is %j', async (username) => {
        expect((await register({ username, password: 'x' })).status).toBe(400);
      });

      it('the name of a new account is refused if taken, before a stage is requested', async () => {
        const { localpart, userId } = await world.user('taken');
        const taken = refusal(400, 'M_USER_IN_USE');
        expect(await register({ username: localpart, password: 'x' })).toMatchObject(taken);
        expect(await register({ username: localpart.toUpperCase(), password: 'x' })).toMatchObject(taken);
        await world.admin.post(path`/_service/admin/v1/deactivate/${userId}`);
        expect(await register({ username: localpart, password: 'x' })).toMatchObject(taken);
      });

      it('the name of a new account is not read from the legacy key', async () => {
        expect(await register({ user: world.freshName(), password: 'x' })).toMatchObject(
          refusal(400, 'M_UNKNOWN'),
        );
      });
    });

    describe('the password', () => {
      it('the password of a new account is required for completion', async () => {
        const body = { username: world.freshName(), auth: DUMMY };
        expect(await register(body)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      });

      it.each([1, [], {}, 'a'.repeat(513)])('is refused when it is %j', async (password) => {
        expect((await register({ username: world.freshName(), password, auth: DUMMY })).status).toBe(400);
      });

      it('can be used to log in', async () => {
        const username = world.freshName();
        await register({ username, password: 'my secret', auth: DUMMY });
        const body = { type: 'm.login.password', user: username, password: 'my secret' };
        expect(await world.http('POST', '/_proto/client/v3/login', { body })).toMatchObject({ status: 200 });
      });
    });

    it.each(['.', '..'])('a device cannot have the id %s, which no path can name', async (id) => {
      const body = { username: world.freshName(), password: 'x', auth: DUMMY, device_id: id };
      expect(await register(body)).toMatchObject(refusal(400, 'M_INVALID_PARAM'));
    });

    it('a device has the given id and name', async () => {
      const device = { device_id: 'PHONE', initial_device_display_name: 'Phone' };
      const body = { username: world.freshName(), password: 'x', auth: DUMMY, ...device };
      const { body: session } = await register(body);
      expect(session.device_id).toBe('PHONE');
      const shown = await world.admin.get(path`/_service/admin/v2/users/${session.user_id}/devices/PHONE`);
      expect(shown.body.display_name).toBe('Phone');
    });

    it('inhibit_login creates no device', async () => {
      const username = world.freshName();
      const { status, body } = await register({ username, password: 'x', inhibit_login: true, auth: DUMMY });
      expect(status).toBe(200);
      expect(body).toEqual({ user_id: world.userId(username), home_server: world.serverName });
    });

    describe('kinds', () => {
      it('user is the default', async () => {
        const body = { username: world.freshName(), password: 'x', auth: DUMMY };
        expect(await register(body, '?kind=user')).toMatchObject({ status: 200 });
      });

      it.each(['', 'User', 'admin'])('%j is refused', async (kind) => {
        expect(await register({}, `?kind=${kind}`)).toMatchObject(refusal(400, 'M_UNRECOGNIZED'));
      });

      it('guests are refused', async () => {
        expect(await register({}, '?kind=guest')).toMatchObject(refusal(403, 'M_GUEST_ACCESS_FORBIDDEN'));
      });
    });

    it('application services cannot register', async () => {
      const body = { type: 'm.login.application_service', username: world.freshName() };
      for (const token of ['nobody', world.admin.token]) {
        const reply = await world.http('POST', REGISTER, { token, body });
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.status).toBeLessThan(500);
      }
      expect((await register(body)).status).toBeGreaterThanOrEqual(400);
      expect((await register({ type: body.type, user: 'x' })).status).toBe(400);
    });

    it('a token in the request is refused', async () => {
      const body = { username: world.freshName(), password: 'x', auth: DUMMY };
      for (const token of ['nobody', world.admin.token]) {
        expect(await world.http('POST', REGISTER, { token, body })).toMatchObject(refusal(400, 'M_UNKNOWN'));
      }
      const query = { access_token: world.admin.token };
      expect(await world.http('POST', REGISTER, { query, body })).toMatchObject(refusal(400, 'M_UNKNOWN'));
    });
  });
});

oneProcessChapter(
  '7.3 Registration by clients, disabled',
  (world) => {
    it.each(['v3', 'r0'])('registration by clients is forbidden at %s', async (version) => {
      const target = `/_proto/client/${version}/register`;
      const body = { username: 'a', password: 'x', auth: DUMMY };
      expect(await world.http('POST', target, { body })).toMatchObject(refusal(403, 'M_FORBIDDEN'));
      expect(await world.http('GET', '/_service/admin/v2/users', { token: world.admin.token })).toMatchObject(
        {
          body: { total: 1 },
        },
      );
    });

    it('registration with the shared secret stays possible', async () => {
      expect(await world.user()).toMatchObject({ userId: expect.any(String) });
    });

    it('open registration does not reveal taken names if so configured', async () => {
      const { localpart } = await world.user();
      await world.restart({ config: { registration: { enabled: true, inhibit_user_in_use: true } } });
      const target = '/_proto/client/v3/register/available';
      expect(await world.http('GET', target, { query: { username: localpart } })).toMatchObject({
        status: 200,
        body: { available: true },
      });
      expect(await world.http('GET', target)).toMatchObject(refusal(400, 'M_MISSING_PARAM'));
      const body = { username: localpart, password: 'x', auth: DUMMY };
      expect(await world.http('POST', '/_proto/client/v3/register', { body })).toMatchObject(
        refusal(400, 'M_USER_IN_USE'),
      );
    });
  },
  { config: { registration: { enabled: false } } },
);
