import { path, type Reply } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const account = (userId: string) => path`/_service/admin/v2/users/${userId}`;
const shadowBan = (userId: string) => path`/_service/admin/v1/users/${userId}/shadow_ban`;
const override = (userId: string) => path`/_service/admin/v1/users/${userId}/override_ratelimit`;
const suspension = (userId: string) => path`/_service/admin/v1/suspend/${userId}`;
const features = (userId: string) => path`/_service/admin/v1/experimental_features/${userId}`;
const replacement = (userId: string) =>
  path`/_service/admin/v1/users/${userId}/_allow_cross_signing_replacement_without_uia`;

/** The response body alone. */
const answer = ({ status, body }: Reply) => [status, body];

chapter('Account conditions', (world) => {
  const readUser = async (userId: string) => (await world.admin.get(account(userId))).body;

  async function deactivated(): Promise<string> {
    const user = await world.account();
    await world.admin.post(path`/_service/admin/v1/deactivate/${user}`);
    return user;
  }

  describe('2.10 Shadow-ban', () => {
    it.each([
      ['no id', 'nobody', 400, 'M_UNKNOWN'],
      ['a user of another server', '@a:elsewhere', 400, 'M_UNKNOWN'],
      ['no user id of this server', 'nobody:test', 400, 'M_INVALID_PARAM'],
      ['an unknown user', '@nobody:test', 404, 'M_UNKNOWN'],
    ])('refuses %s', async (_, userId, status, errcode) => {
      for (const verb of ['POST', 'DELETE']) {
        const reply = await world.http(verb, shadowBan(userId), { token: world.admin.token });
        expect(reply).toMatchObject(refusal(status, errcode));
      }
    });

    it.each(['', '{}', 'no JSON'])('can be set and lifted repeatedly, with any body: %j', async (rawBody) => {
      const user = await world.user();
      for (const [verb, banned] of [
        ['POST', 1],
        ['POST', 1],
        ['DELETE', 0],
        ['DELETE', 0],
      ] as const) {
        const reply = await world.http(verb, shadowBan(user.userId), { token: world.admin.token, rawBody });
        expect(answer(reply)).toEqual([200, {}]);
        expect((await readUser(user.userId)).shadow_banned).toBe(banned);
        const query = { user_id: user.userId };
        const list = await world.admin.get('/_service/admin/v2/users', { query });
        expect(list.body).toMatchObject({ users: [{ shadow_banned: banned }], total: 1 });
      }
      expect(await user.get('/_proto/client/v3/account/whoami')).toMatchObject({ status: 200 });
    });

    it('survives deactivation', async () => {
      const user = await deactivated();
      expect(answer(await world.admin.post(shadowBan(user)))).toEqual([200, {}]);
      expect(await readUser(user)).toMatchObject({ shadow_banned: 1, deactivated: 1 });
    });
  });

  describe('2.11 Rate-limit override', () => {
    it.each([
      ['no id', 'nobody', 400, 'M_UNKNOWN'],
      ['a user of another server', '@a:elsewhere', 400, 'M_UNKNOWN'],
      ['an unknown user', '@nobody:test', 404, 'M_NOT_FOUND'],
    ])('refuses %s before it reads the body', async (_, userId, status, errcode) => {
      for (const verb of ['GET', 'POST', 'DELETE']) {
        const request = { token: world.admin.token, rawBody: 'no JSON' };
        expect(await world.http(verb, override(userId), request)).toMatchObject(refusal(status, errcode));
      }
    });

    it.each<[string, string, string]>([
      ['no JSON', 'x', 'M_NOT_JSON'],
      ['no object', '[]', 'M_BAD_JSON'],
      ...['"1"', '-1', 'true', '1.0', '1.5', '1e2', 'null', '[1]', '9007199254740993'].flatMap(
        (value): [string, string, string][] => [
          [`a rate of ${value}`, `{"messages_per_second":${value}}`, 'M_INVALID_PARAM'],
          [`a burst of ${value}`, `{"messages_per_second":1,"burst_count":${value}}`, 'M_INVALID_PARAM'],
        ],
      ),
    ])('refuses %s, and changes nothing', async (_, rawBody, errcode) => {
      const user = await world.account();
      expect(await world.admin.post(override(user), { rawBody })).toMatchObject(refusal(400, errcode));
      expect(answer(await world.admin.get(override(user)))).toEqual([200, {}]);
    });

    it('rate-limit override is replaced as a whole, and can be cleared', async () => {
      const user = await world.account();
      expect(answer(await world.admin.get(override(user)))).toEqual([200, {}]);
      for (const [rawBody, messages_per_second, burst_count] of [
        ['{"messages_per_second":5,"burst_count":9}', 5, 9],
        ['{"burst_count":3}', 0, 3],
        ['{"messages_per_second":7}', 7, 0],
        ['{}', 0, 0],
        ['{"messages_per_second":9007199254740991}', Number.MAX_SAFE_INTEGER, 0],
        ['', 0, 0],
      ] as const) {
        const stored = [200, { messages_per_second, burst_count }];
        expect(answer(await world.admin.post(override(user), { rawBody }))).toEqual(stored);
        expect(answer(await world.admin.get(override(user)))).toEqual(stored);
      }
      for (let i = 0; i < 2; i++) {
        expect(answer(await world.admin.delete(override(user)))).toEqual([200, {}]);
        expect(answer(await world.admin.get(override(user)))).toEqual([200, {}]);
      }
    });

    it('survives deactivation', async () => {
      const user = await world.account();
      await world.admin.post(override(user), { body: { messages_per_second: 1 } });
      await world.admin.post(path`/_service/admin/v1/deactivate/${user}`);
      expect((await world.admin.get(override(user))).body).toEqual({
        messages_per_second: 1,
        burst_count: 0,
      });
    });
  });

  describe('13.1 Suspension', () => {
    it.each([
      ['no id', 'nobody', 'no JSON', 400, 'M_INVALID_PARAM'],
      ['a user of another server', '@a:elsewhere', 'no JSON', 400, 'M_UNKNOWN'],
      ['an unknown user', '@nobody:test', 'no JSON', 404, 'M_NOT_FOUND'],
      ['no body', undefined, '', 400, 'M_NOT_JSON'],
      ['no JSON', undefined, 'x', 400, 'M_NOT_JSON'],
      ['no object', undefined, '[true]', 400, 'M_BAD_JSON'],
      ['no key', undefined, '{}', 400, 'M_MISSING_PARAM'],
      ['a string', undefined, '{"suspend":"true"}', 400, 'M_BAD_JSON'],
      ['a number', undefined, '{"suspend":1}', 400, 'M_BAD_JSON'],
      ['null', undefined, '{"suspend":null}', 400, 'M_BAD_JSON'],
    ])('refuses %s', async (_, userId, rawBody, status, errcode) => {
      const user = userId ?? (await world.account());
      expect(await world.admin.put(suspension(user), { rawBody })).toMatchObject(refusal(status, errcode));
    });

    it('can be set and lifted', async () => {
      const user = await world.user();
      for (const suspend of [true, true, false, false]) {
        const reply = await world.admin.put(suspension(user.userId), { body: { suspend } });
        expect(answer(reply)).toEqual([200, { [`user_${user.userId}_suspended`]: suspend }]);
        expect((await readUser(user.userId)).suspended).toBe(suspend);
        expect(await user.get('/_proto/client/v3/account/whoami')).toMatchObject({ status: 200 });
      }
    });

    it('works on a deactivated account', async () => {
      const user = await deactivated();
      expect(await world.admin.put(suspension(user), { body: { suspend: true } })).toMatchObject({
        status: 200,
      });
    });
  });

  describe('13.1 Experimental features', () => {
    const none = { msc3026: false, msc3881: false, msc3967: false };

    it.each([
      ['no id', 'nobody', 'no JSON', 400, 'M_INVALID_PARAM'],
      ['a user of another server', '@a:elsewhere', 'no JSON', 400, 'M_UNKNOWN'],
      ['no body', '@a:test', '', 400, 'M_NOT_JSON'],
      ['no object', '@a:test', '[]', 400, 'M_BAD_JSON'],
      ['no features', '@a:test', '{}', 400, 'M_UNKNOWN'],
      ['empty features', '@a:test', '{"features":{}}', 400, 'M_UNKNOWN'],
      ['a list', '@a:test', '{"features":["msc3881"]}', 400, 'M_UNKNOWN'],
      ['null', '@a:test', '{"features":null}', 400, 'M_UNKNOWN'],
      ['a number', '@a:test', '{"features":{"msc3881":1}}', 400, 'M_UNKNOWN'],
      ['an unknown feature', '@a:test', '{"features":{"msc3881":true,"msc1":true}}', 400, 'M_UNKNOWN'],
      ['an odd name', '@a:test', '{"features":{"__proto__":true}}', 400, 'M_UNKNOWN'],
      ['an unknown user', '@nobody:test', '{"features":{"msc3881":true}}', 404, 'M_NOT_FOUND'],
    ])('refuses %s', async (_, userId, rawBody, status, errcode) => {
      expect(await world.admin.put(features(userId), { rawBody })).toMatchObject(refusal(status, errcode));
    });

    it.each([
      ['nobody', 400, 'M_INVALID_PARAM'],
      ['@a:elsewhere', 400, 'M_UNKNOWN'],
    ])('experimental features are not returned for %s', async (userId, status, errcode) => {
      expect(await world.admin.get(features(userId))).toMatchObject(refusal(status, errcode));
    });

    it('experimental features are all listed, and only the named ones change', async () => {
      const user = await world.account();
      expect(answer(await world.admin.get(features('@nobody:test')))).toEqual([200, { features: none }]);
      expect(answer(await world.admin.get(features(user)))).toEqual([200, { features: none }]);
      const put = async (named: Record<string, boolean>) =>
        expect(answer(await world.admin.put(features(user), { body: { features: named } }))).toEqual([
          200,
          {},
        ]);
      const stored = async () => (await world.admin.get(features(user))).body.features;
      await put({ msc3881: true, msc3026: false });
      expect(await stored()).toEqual({ ...none, msc3881: true });
      await put({ msc3967: true });
      expect(await stored()).toEqual({ ...none, msc3881: true, msc3967: true });
      await put({ msc3881: false });
      expect(await stored()).toEqual({ ...none, msc3967: true });
    });
  });

  describe('13.1 Replacement of cross-signing keys', () => {
    it.each(['nobody', '@a:elsewhere', '@nobody:test', undefined])('requires keys: %j', async (userId) => {
      const user = userId ?? (await world.account());
      for (const rawBody of ['', 'no JSON']) {
        expect(await world.admin.post(replacement(user), { rawBody })).toMatchObject(
          refusal(404, 'M_NOT_FOUND'),
        );
      }
    });
  });
});
