import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

/** The limit of monthly active users: more than exist before the cases that reach it. */
const MONTHLY_LIMIT = 6;

/** The length of a month, in milliseconds. */
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

const GUEST_FORBIDDEN = refusal(403, 'M_GUEST_ACCESS_FORBIDDEN');

interface Guest {
  user_id: string;
  home_server: string;
  access_token: string;
  device_id: string;
}

chapter(
  '7.3 Guests',
  (world, { isOneProcess }) => {
    const registerGuest = (body: unknown = {}, version = 'v3') =>
      world.http<Guest>('POST', `/_proto/client/${version}/register?kind=guest`, { body });
    const whoAmI = (token: string) => world.http('GET', '/_proto/client/v3/account/whoami', { token });

    it.each(['v3', 'r0'])('register without name and password at %s', async (version) => {
      const { status, body } = await registerGuest({ initial_device_display_name: 'Lobby' }, version);
      expect(status).toBe(200);
      expect(body).toEqual({
        user_id: expect.stringMatching(/^@[0-9]+:test$/),
        home_server: world.serverName,
        access_token: expect.stringMatching(/./),
        device_id: 'guest_device',
      });
      expect((await whoAmI(body.access_token)).body).toEqual({
        user_id: body.user_id,
        is_guest: true,
        device_id: 'guest_device',
      });
      const device = path`/_service/admin/v2/users/${body.user_id}/devices/guest_device`;
      expect((await world.admin.get(device)).body.display_name).toBe('Lobby');
      const account = await world.admin.get(path`/_service/admin/v2/users/${body.user_id}`);
      expect(account.body).toMatchObject({ is_guest: 1, admin: 0, deactivated: 0 });
    });

    it('get a new account each, also concurrently', async () => {
      const guests = await Promise.all(Array.from({ length: 5 }, () => registerGuest()));
      expect(new Set(guests.map(({ body }) => body.user_id)).size).toBe(5);
    });

    it('get a generated name; name, password and device id in the request are ignored', async () => {
      const body = { username: world.freshName(), password: 'x', device_id: 'MINE', inhibit_login: true };
      const { body: guest } = await registerGuest(body);
      expect(guest).toMatchObject({
        user_id: expect.stringMatching(/^@[0-9]+:test$/),
        device_id: 'guest_device',
      });
      const login = { type: 'm.login.password', user: guest.user_id, password: 'x' };
      expect(await world.http('POST', '/_proto/client/v3/login', { body: login })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
    });

    it.each<[string, { token?: string; rawBody?: string; body?: unknown }, number, string]>([
      ['with a token', { token: 'nobody', body: {} }, 400, 'M_UNKNOWN'],
      ['as application services', { body: { type: 'm.login.application_service' } }, 400, 'M_UNKNOWN'],
      ['without a body', { rawBody: '' }, 400, 'M_NOT_JSON'],
      ['with an invalid body', { body: { initial_device_display_name: 1 } }, 400, 'M_BAD_JSON'],
      ['with an invalid option', { body: { refresh_token: 'yes' } }, 400, 'M_UNKNOWN'],
    ])('cannot register %s', async (_, request, status, errcode) => {
      expect(await world.http('POST', '/_proto/client/v3/register?kind=guest', request)).toMatchObject(
        refusal(status, errcode),
      );
    });

    it('can use the endpoints open to guests', async () => {
      const { user_id: userId, access_token: token } = (await registerGuest()).body;
      const target = path`/_proto/client/v3/profile/${userId}/displayname`;
      const named = await world.http('PUT', target, { token, body: { displayname: 'Visitor' } });
      expect(named.status).toBe(200);
      expect((await world.http('GET', target)).body).toEqual({ displayname: 'Visitor' });
      for (const [verb, path] of [
        ['GET', '/_proto/client/v3/account/3pid'],
        ['POST', '/_proto/client/v3/account/deactivate'],
        ['POST', '/_proto/client/v3/user_directory/search'],
        ['GET', '/_service/admin/v2/users'],
      ] as const) {
        expect(await world.http(verb, path, { token, body: {} })).toMatchObject(GUEST_FORBIDDEN);
      }
      expect((await world.http('POST', '/_proto/client/v3/logout', { token })).status).toBe(200);
      expect((await whoAmI(token)).status).toBe(401);
    });

    describe('8.4 when the limit of monthly active users is reached', () => {
      const FULL = refusal(403, 'M_RESOURCE_LIMIT_EXCEEDED', {
        limit_type: 'monthly_active_user',
        admin_contact: 'mailto:admin@example.org',
      });
      const login = ({ localpart, password }: Actor) =>
        world.http('POST', '/_proto/client/v3/login', {
          body: { type: 'm.login.password', user: localpart, password },
        });
      const makeActive = async () => {
        const user = await world.user();
        expect((await whoAmI(user.token)).status).toBe(200);
        return user;
      };
      /** Registers with the shared secret, which has no limit, until the limit is reached; returns the active users. */
      const fill = async () => {
        const dormant = await world.user();
        for (let active = 0; active <= MONTHLY_LIMIT; active++) {
          const user = await makeActive();
          if ((await login(dormant)).status === 403) return { user, dormant };
        }
        throw new Error('The server does not become full');
      };

      it('other users can neither log in nor register', async () => {
        const { user, dormant } = await fill();
        expect(await login(dormant)).toMatchObject(FULL);
        const body = { username: world.freshName(), password: 'x', auth: { type: 'm.login.dummy' } };
        expect(await world.http('POST', '/_proto/client/v3/register', { body })).toMatchObject(FULL);
        expect(await registerGuest()).toMatchObject(FULL);
        expect(await login({ ...dormant, password: 'wrong' })).toMatchObject(refusal(403, 'M_FORBIDDEN'));

        expect((await login(user)).status).toBe(200);
        expect((await whoAmI(dormant.token)).status).toBe(200);
        const support = await world.user('support', { userType: 'support' });
        expect((await login(support)).status).toBe(200);

        const { body: room } = await user.post<{ room_id: string }>('/_proto/client/v3/createRoom', {
          body: { preset: 'public_chat', invite: [dormant.userId] },
        });
        const inRoom = path`/_proto/client/v3/rooms/${room.room_id}`;
        const send = { body: { msgtype: 'm.text', body: 'x' } };
        for (const tried of [
          dormant.post('/_proto/client/v3/createRoom', { body: {} }),
          dormant.post(`${inRoom}/join`),
          dormant.put(`${inRoom}/send/m.room.message/1`, send),
          dormant.put(`${inRoom}/state/m.room.topic`, { body: { topic: 'x' } }),
        ]) {
          expect(await tried).toMatchObject(FULL);
        }
        expect((await support.post(`${inRoom}/join`)).status).toBe(200);
        // A request by an administrator who acts as a user counts for the administrator.
        const acting = path`/_service/admin/v1/users/${dormant.userId}/login`;
        const { access_token: token } = (await world.admin.post<{ access_token: string }>(acting)).body;
        expect((await world.http('POST', `${inRoom}/join`, { token })).status).toBe(200);
        expect((await dormant.put(`${inRoom}/send/m.room.message/1`, send)).status).toBe(403);
        expect((await dormant.post(`${inRoom}/leave`)).status).toBe(200);
        if (!world.moveClock) return;
        const other = await world.user();
        expect(await login(other)).toMatchObject(FULL);
        world.moveClock(MONTH_MS + 1);
        expect((await login(other)).status).toBe(200);
      });
    });

    it.runIf(isOneProcess)('can register where other users cannot', async () => {
      await world.restart({ config: { registration: { guests: true, enabled: false } } });
      expect((await registerGuest()).status).toBe(200);
      const body = { username: world.freshName(), password: 'x' };
      expect(await world.http('POST', '/_proto/client/v3/register', { body })).toMatchObject(
        refusal(403, 'M_FORBIDDEN'),
      );
    });
  },
  {
    config: {
      registration: { guests: true },
      monthly_active_users: {
        enabled: true,
        limit: MONTHLY_LIMIT,
        admin_contact: 'mailto:admin@example.org',
      },
    },
  },
);
