import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { ACCESS_TOKEN_LIFETIME_MS as LIFETIME_MS, openServer } from './shared-settings.ts';

const UNKNOWN = refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false });

interface Session {
  user_id: string;
  device_id: string;
  access_token: string;
  refresh_token: string;
  expires_in_ms: number;
}

const EXPIRING = {
  access_token: expect.stringMatching(/./),
  refresh_token: expect.stringMatching(/./),
  expires_in_ms: LIFETIME_MS,
};

chapter(
  '7.2 Refresh tokens',
  (world, { isOneProcess }) => {
    const REFRESH = '/_proto/client/v3/refresh';

    const loginWith = (user: Actor, fields: Readonly<Record<string, unknown>>) =>
      world.http<Session>('POST', '/_proto/client/v3/login', {
        body: { type: 'm.login.password', user: user.localpart, password: user.password, ...fields },
      });
    const login = async (user: Actor, deviceId = 'PHONE') =>
      (await loginWith(user, { refresh_token: true, device_id: deviceId })).body;
    const refresh = (token: unknown, target = REFRESH) =>
      world.http<Session>('POST', target, { body: { refresh_token: token } });
    const whoAmI = (token: string) => world.http('GET', '/_proto/client/v3/account/whoami', { token });
    const works = async (token: string) => (await whoAmI(token)).status === 200;

    describe('are issued on request', () => {
      it('at login', async () => {
        const user = await world.user();
        expect((await loginWith(user, { refresh_token: true })).body).toMatchObject(EXPIRING);
        for (const fields of [{}, { refresh_token: false }]) {
          const { body } = await loginWith(user, fields);
          expect(body).not.toHaveProperty('refresh_token');
          expect(body).not.toHaveProperty('expires_in_ms');
        }
      });

      it('at registration', async () => {
        const body = { username: world.freshName(), password: 'x', auth: { type: 'm.login.dummy' } };
        const register = (fields: Readonly<Record<string, unknown>>) =>
          world.http<Session>('POST', '/_proto/client/v3/register', { body: { ...body, ...fields } });
        const { session } = (await register({ auth: undefined, refresh_token: true })).body as unknown as {
          session: string;
        };
        const first = await register({ auth: { type: 'm.login.dummy', session }, refresh_token: true });
        expect(first).toMatchObject({ status: 200, body: EXPIRING });
        const other = { ...body, username: world.freshName() };
        expect((await register(other)).body).not.toHaveProperty('refresh_token');
      });

      it('at registration with the secret', async () => {
        const username = world.freshName();
        const registration = { username, password: 'x', refresh_token: true };
        expect((await world.register(registration)).body).toMatchObject(EXPIRING);
      });

      it.each([1, 'true', null, {}])(
        'refresh tokens are not issued if refresh_token is %j',
        async (value) => {
          const user = await world.user();
          expect(await loginWith(user, { refresh_token: value })).toMatchObject(refusal(400, 'M_UNKNOWN'));
          const body = { username: world.freshName(), password: 'x', refresh_token: value };
          expect(await world.http('POST', '/_proto/client/v3/register', { body })).toMatchObject(
            refusal(400, 'M_UNKNOWN'),
          );
          expect(await world.register(body)).toMatchObject(refusal(400, 'M_UNKNOWN'));
        },
      );
    });

    it.each(['v3', 'r0', 'v1'])('renew the access token at %s', async (version) => {
      const user = await world.user();
      const first = await login(user);
      const target = `/_proto/client/${version}/refresh`;
      const { status, body: second } = await refresh(first.refresh_token, target);
      expect(status).toBe(200);
      expect(second).toEqual(EXPIRING);
      expect(second.access_token).not.toBe(first.access_token);
      expect(second.refresh_token).not.toBe(first.refresh_token);
      expect((await whoAmI(second.access_token)).body).toMatchObject({
        user_id: user.userId,
        device_id: 'PHONE',
      });
      const third = (await refresh(second.refresh_token)).body;
      expect(await works(third.access_token)).toBe(true);
      expect(await works(second.access_token)).toBe(false);
    });

    describe('a renewed session', () => {
      it('accepts the earlier tokens until the new access token is used', async () => {
        const user = await world.user();
        const first = await login(user);
        const second = (await refresh(first.refresh_token)).body;
        expect(await works(first.access_token)).toBe(true);
        // The response may have been lost; a repetition returns the same tokens.
        expect((await refresh(first.refresh_token)).body).toEqual(second);
        expect(await works(second.access_token)).toBe(true);
        expect(await whoAmI(first.access_token)).toMatchObject(UNKNOWN);
        expect(await refresh(first.refresh_token)).toMatchObject(UNKNOWN);
        expect(await works(second.access_token)).toBe(true);
      });

      it('accepts the earlier tokens until the new refresh token is used', async () => {
        const first = await login(await world.user());
        const second = (await refresh(first.refresh_token)).body;
        const third = (await refresh(second.refresh_token)).body;
        expect(await refresh(first.refresh_token)).toMatchObject(UNKNOWN);
        expect(await works(first.access_token)).toBe(false);
        expect(await works(second.access_token)).toBe(true);
        expect(await works(third.access_token)).toBe(true);
        expect(await works(second.access_token)).toBe(false);
      });

      it('a renewed session is the same for two concurrent requests', async () => {
        const first = await login(await world.user());
        const replies = await Promise.all(Array.from({ length: 4 }, () => refresh(first.refresh_token)));
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        const tokens = new Set(replies.map(({ body }) => `${body.access_token} ${body.refresh_token}`));
        expect(tokens.size).toBe(1);
        expect(await works(replies[0]?.body.access_token as string)).toBe(true);
      });
    });

    it('outlive the access token', async ({ skip }) => {
      if (!world.moveClock) return skip('the set-up cannot move its clock');
      const first = await login(await world.user());
      world.moveClock(LIFETIME_MS);
      expect(await works(first.access_token)).toBe(true);
      world.moveClock(1);
      expect(await whoAmI(first.access_token)).toMatchObject(
        refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: true }),
      );
      const lost = (await refresh(first.refresh_token)).body;
      world.moveClock(LIFETIME_MS + 1);
      const second = (await refresh(first.refresh_token)).body;
      expect(second).toEqual(lost);
      expect(await works(second.access_token)).toBe(true);
    });

    describe('are refused', () => {
      it.each(['', 'unknown', 'x'.repeat(10_000)])('when they are unknown', async (token) => {
        expect(await refresh(token)).toMatchObject(UNKNOWN);
      });

      it('as access tokens', async () => {
        const first = await login(await world.user());
        expect(await refresh(first.access_token)).toMatchObject(UNKNOWN);
        expect(await whoAmI(first.refresh_token)).toMatchObject(UNKNOWN);
      });

      it('if the body is invalid', async () => {
        expect(await world.http('POST', REFRESH, { body: {} })).toMatchObject(
          refusal(400, 'M_MISSING_PARAM'),
        );
        expect(await refresh(1)).toMatchObject(refusal(400, 'M_BAD_JSON'));
        expect(await world.http('POST', REFRESH)).toMatchObject(refusal(400, 'M_NOT_JSON'));
      });

      it('while the account is locked', async () => {
        const user = await world.user();
        const first = await login(user);
        const lock = (locked: boolean) =>
          world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body: { locked } });
        await lock(true);
        expect(await refresh(first.refresh_token)).toMatchObject(
          refusal(401, 'M_USER_LOCKED', { soft_logout: true }),
        );
        await lock(false);
        expect(await refresh(first.refresh_token)).toMatchObject({ status: 200 });
      });

      it.each<[string, (user: Actor, session: Session) => Promise<unknown>]>([
        [
          'logged out',
          (_, { access_token: token }) => world.http('POST', '/_proto/client/v3/logout', { token }),
        ],
        ['logged out everywhere', (user) => user.post('/_proto/client/v3/logout/all')],
        ['logged in again on its device', (user) => login(user)],
        [
          'deprived of its device',
          (user) => world.admin.delete(path`/_service/admin/v2/users/${user.userId}/devices/PHONE`),
        ],
        [
          'given another password',
          (user) =>
            world.admin.post(path`/_service/admin/v1/reset_password/${user.userId}`, {
              body: { new_password: 'other' },
            }),
        ],
        [
          'deactivated',
          (user) => world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`, { body: {} }),
        ],
      ])('once the user was %s', async (_, end) => {
        const user = await world.user();
        const first = await login(user);
        await end(user, first);
        expect(await refresh(first.refresh_token)).toMatchObject(UNKNOWN);
      });

      it('together with the new ones, after those logged the user out', async () => {
        const first = await login(await world.user());
        const second = (await refresh(first.refresh_token)).body;
        await world.http('POST', '/_proto/client/v3/logout', { token: second.access_token });
        for (const { refresh_token: token } of [first, second]) {
          expect(await refresh(token)).toMatchObject(UNKNOWN);
        }
      });
    });

    it('of the session that changes the password remain valid', async () => {
      const user = await world.user();
      const [own, other] = [await login(user), await login(user, 'OTHER')];
      // The session is older than the password change that keeps it, and was renewed twice.
      const renewed = (await refresh(own.refresh_token)).body;
      const auth = { type: 'm.login.password', user: user.userId, password: user.password };
      const changed = await world.http('POST', '/_proto/client/v3/account/password', {
        token: renewed.access_token,
        body: { new_password: 'other', auth },
      });
      expect(changed.status).toBe(200);
      expect(await refresh(other.refresh_token)).toMatchObject(UNKNOWN);
      const again = (await refresh(renewed.refresh_token)).body;
      expect(await works(again.access_token)).toBe(true);
      const last = (await refresh(again.refresh_token)).body;
      expect(await works(last.access_token)).toBe(true);
      const devices = await world.admin.get<{ devices: { device_id: string }[] }>(
        path`/_service/admin/v2/users/${user.userId}/devices`,
      );
      expect(devices.body.devices.map(({ device_id: id }) => id)).toEqual(['PHONE']);
    });

    it.runIf(isOneProcess)('refresh tokens are not issued if the server disables them', async () => {
      const user = await world.user();
      const first = await login(user);
      await world.restart({});
      const { body } = await loginWith(user, { refresh_token: true });
      expect(body).not.toHaveProperty('refresh_token');
      expect(body).not.toHaveProperty('expires_in_ms');
      expect(await refresh(first.refresh_token)).toMatchObject({ status: 200 });
    });
  },
  { config: openServer },
);
