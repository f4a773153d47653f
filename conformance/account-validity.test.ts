import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { openServer, VALIDITY_PERIOD_MS } from './shared-settings.ts';

const VALIDITY = '/_service/admin/v1/account_validity/validity';
const WHOAMI = '/_proto/client/v3/account/whoami';

/** Later than the time of any test run. */
const LATE_MS = 9_000_000_000_000;

const expired = refusal(403, 'ORG_MATRIX_EXPIRED_ACCOUNT');

chapter(
  '13.1 Account validity',
  (world, { isOneProcess }) => {
    const set = (userId: string, fields: object) =>
      world.admin.post<{ expiration_ts: number }>(VALIDITY, { body: { user_id: userId, ...fields } });

    it.each([
      ['no body', '', 400, 'M_NOT_JSON'],
      ['no object', '[]', 400, 'M_BAD_JSON'],
      ['no user', '{}', 400, 'M_UNKNOWN'],
      ['a user that is a number', '{"user_id":1}', 400, 'M_UNKNOWN'],
      ['a time that is a string', '{"user_id":"@a:test","expiration_ts":"1"}', 400, 'M_BAD_JSON'],
      ['a choice that is a number', '{"user_id":"@a:test","enable_renewal_emails":1}', 400, 'M_BAD_JSON'],
      ['no id', '{"user_id":"nobody"}', 400, 'M_INVALID_PARAM'],
      ['a user of another server', '{"user_id":"@a:elsewhere"}', 400, 'M_UNKNOWN'],
      ['an unknown user', '{"user_id":"@nobody:test"}', 404, 'M_NOT_FOUND'],
    ])('refuses %s', async (_, rawBody, status, errcode) => {
      expect(await world.admin.post(VALIDITY, { rawBody })).toMatchObject(refusal(status, errcode));
    });

    it('accepts a given expiry time, or adds the configured period to the current time', async () => {
      const user = await world.user();
      for (const expiration_ts of [LATE_MS, 0, -1]) {
        const body = { expiration_ts, enable_renewal_emails: false };
        expect(await set(user.userId, body)).toMatchObject({ status: 200, body: { expiration_ts } });
      }
      const { body: first } = await set(user.userId, {});
      const { body: second } = await set(user.userId, { expiration_ts: null });
      expect(second.expiration_ts).toBeGreaterThanOrEqual(first.expiration_ts);
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
      if (!world.moveClock) return;
      world.moveClock(VALIDITY_PERIOD_MS - 1);
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
      world.moveClock(1);
      expect(await user.get(WHOAMI)).toMatchObject(expired);
    });

    it('an expired account is refused everything except logging out, until it is renewed', async () => {
      const user = await world.user('expired', { admin: true });
      const other = await world.login(user);
      await set(user.userId, { expiration_ts: 1 });
      expect(await user.get(WHOAMI)).toMatchObject(expired);
      expect(await user.get('/_service/admin/v2/users')).toMatchObject(expired);
      expect(await other.post('/_proto/client/v3/logout')).toMatchObject({ status: 200 });
      await set(user.userId, { expiration_ts: LATE_MS });
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it('a lock takes precedence over expiry', async () => {
      const user = await world.user();
      await set(user.userId, { expiration_ts: 1 });
      await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body: { locked: true } });
      expect(await user.get(WHOAMI)).toMatchObject(refusal(401, 'M_USER_LOCKED'));
    });

    it('account validity is removed by deactivation', async () => {
      const user = await world.user();
      await set(user.userId, { expiration_ts: 1 });
      await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
      const body = { deactivated: false, password: user.password };
      await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, { body });
      expect(await (await world.login(user)).get(WHOAMI)).toMatchObject({ status: 200 });
    });

    it.runIf(isOneProcess)('refuses no account after it was disabled', async () => {
      const user = await world.user();
      await set(user.userId, { expiration_ts: 1 });
      expect(await user.get(WHOAMI)).toMatchObject(expired);
      await world.restart({});
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
      expect(await set(user.userId, { expiration_ts: 1 })).toMatchObject({ status: 200 });
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
    });
  },
  { config: openServer },
);
