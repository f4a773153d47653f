import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const OWN = '/_proto/client/v3/pushers';
const SET = '/_proto/client/v3/pushers/set';
const shownAt = (userId: string) => path`/_service/admin/v1/users/${userId}/pushers`;

const PUSHER = {
  app_id: 'org.example.app',
  pushkey: 'the key',
  kind: 'http',
  app_display_name: 'App',
  device_display_name: 'Phone',
  profile_tag: 'tag',
  lang: 'en',
  data: { url: 'https://push.example.org/_matrix/push/v1/notify', format: 'event_id_only' },
};

chapter('7.6 Pushers', (world) => {
  const set = (user: Actor, fields: Readonly<Record<string, unknown>> = {}) =>
    user.post(SET, { body: { ...PUSHER, ...fields } });
  const shown = async (userId: string) => {
    const { body } = await world.admin.get<{ pushers: Record<string, unknown>[]; total: number }>(
      shownAt(userId),
    );
    expect(body.total).toBe(body.pushers.length);
    return body.pushers;
  };
  const keysOf = async (userId: string) => (await shown(userId)).map(({ pushkey }) => pushkey);

  it('pushers are visible to their owner and to administrators', async () => {
    const user = await world.user();
    expect((await user.get(OWN)).body).toEqual({ pushers: [] });
    expect((await world.admin.get(shownAt(user.userId))).body).toEqual({ pushers: [], total: 0 });
    expect(await set(user)).toMatchObject({ status: 200, text: '{}' });
    expect(await set(user, { pushkey: 'another', profile_tag: undefined })).toMatchObject({ status: 200 });
    const pushers = [{ ...PUSHER, pushkey: 'another', profile_tag: '' }, PUSHER];
    expect((await user.get(OWN)).body).toEqual({ pushers });
    expect((await user.get('/_proto/client/r0/pushers')).body).toEqual({ pushers });
    expect((await world.admin.get(shownAt(user.userId))).body).toEqual({ pushers, total: 2 });
  });

  it('pushers are replaced by application and key', async () => {
    const user = await world.user();
    await set(user);
    await set(user, { device_display_name: 'Other', kind: 'org.example.kind', data: {} });
    expect(await shown(user.userId)).toEqual([
      { ...PUSHER, device_display_name: 'Other', kind: 'org.example.kind', data: {} },
    ]);
  });

  it('pushers are deleted without a kind', async () => {
    const user = await world.user();
    await set(user);
    await set(user, { pushkey: 'kept' });
    const { app_id, pushkey } = PUSHER;
    const body = { app_id, pushkey, kind: null };
    expect(await user.post(SET, { body })).toMatchObject({ status: 200, text: '{}' });
    expect(await user.post(SET, { body })).toMatchObject({ status: 200, text: '{}' });
    expect(await keysOf(user.userId)).toEqual(['kept']);
  });

  it('of other users are deleted, unless the request keeps them', async () => {
    const [first, second] = [await world.user(), await world.user()];
    const pushkey = world.freshName('key');
    await set(first, { pushkey });
    await set(first, { pushkey, app_id: 'other' });
    await set(second, { pushkey, append: true });
    expect(await keysOf(first.userId)).toEqual([pushkey, pushkey]);
    await set(second, { pushkey });
    expect(await shown(first.userId)).toMatchObject([{ app_id: 'other' }]);
    expect(await keysOf(second.userId)).toEqual([pushkey]);
  });

  const url = (text: unknown) => ({ data: { url: text } });
  it.each([
    ...Object.keys(PUSHER)
      .filter((key) => key !== 'profile_tag')
      .map((key) => [`no ${key}`, { [key]: undefined }, 400, 'M_MISSING_PARAM'] as const),
    ['data that are not an object', { data: [] }, 400, 'M_BAD_JSON'],
    ['data that are null', { data: null }, 400, 'M_BAD_JSON'],
    ['no url', { data: {} }, 400, 'M_MISSING_PARAM'],
    ['a url that is not text', url(1), 400, 'M_MISSING_PARAM'],
    ['a relative url', url('push.example.org'), 400, 'M_MISSING_PARAM'],
    ['another path', url('https://push.example.org/notify'), 400, 'M_MISSING_PARAM'],
    ['another protocol', url('ftp://push.example.org/_matrix/push/v1/notify'), 400, 'M_MISSING_PARAM'],
    ['an application of 65 characters', { app_id: 'ü'.repeat(65) }, 400, 'M_INVALID_PARAM'],
    ['a key of 514 bytes', { pushkey: 'ü'.repeat(257) }, 400, 'M_INVALID_PARAM'],
    ['a kind that is not text', { kind: 1 }, 400, 'M_BAD_JSON'],
    ['an application that is not text', { app_id: 1 }, 400, 'M_BAD_JSON'],
    ['a malformed flag', { append: 'yes' }, 400, 'M_BAD_JSON'],
    ['data that are too large', { kind: 'x', data: { x: 'x'.repeat(70_000) } }, 413, 'M_TOO_LARGE'],
  ] as const)('are refused with %s', async (_, fields, status, errcode) => {
    const user = await world.user();
    expect(await set(user, fields)).toMatchObject(refusal(status, errcode));
    expect(await shown(user.userId)).toEqual([]);
  });

  it('may have long names', async () => {
    const user = await world.user();
    const fields = { app_id: '😀'.repeat(64), pushkey: 'ü'.repeat(256) };
    expect(await set(user, fields)).toMatchObject({ status: 200 });
    expect(await shown(user.userId)).toMatchObject([fields]);
  });

  it('cannot be set by a token without a device', async ({ skip }) => {
    if (!world.seed) return skip('the set-up cannot make such a token');
    const user = await world.user();
    const token = await world.seed.token({ userId: user.userId });
    expect(await world.http('POST', SET, { token, body: PUSHER })).toMatchObject(refusal(400, 'M_UNKNOWN'));
  });

  describe('are deleted with', () => {
    it.each<[string, (user: Actor) => Promise<unknown>]>([
      ['the logout of their session', (user) => user.post('/_proto/client/v3/logout')],
      [
        'their device',
        (user) => world.admin.delete(path`/_service/admin/v2/users/${user.userId}/devices/${user.deviceId}`),
      ],
      [
        'another login on their device',
        (user) =>
          world.http('POST', '/_proto/client/v3/login', {
            body: {
              type: 'm.login.password',
              identifier: { type: 'm.id.user', user: user.userId },
              password: user.password,
              device_id: user.deviceId,
            },
          }),
      ],
    ])('%s, and no others are', async (_, end) => {
      const user = await world.user();
      const other = await world.login(user);
      await set(user, { pushkey: 'gone' });
      await set(other, { pushkey: 'kept' });
      await end(user);
      await world.whenIdle();
      expect(await keysOf(user.userId)).toEqual(['kept']);
    });

    it.each<[string, (user: Actor) => Promise<unknown>]>([
      ['all sessions', (user) => user.post('/_proto/client/v3/logout/all')],
      [
        'a password reset',
        (user) =>
          world.admin.post(path`/_service/admin/v1/reset_password/${user.userId}`, {
            body: { new_password: 'new' },
          }),
      ],
      [
        'the deactivation of the account',
        (user) => world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`),
      ],
    ])('%s', async (_, end) => {
      const user = await world.user();
      await set(user);
      await end(user);
      await world.whenIdle();
      expect(await shown(user.userId)).toEqual([]);
    });
  });

  it('remain with a session that is kept', async () => {
    const admin = await world.user('admin', { admin: true });
    const other = await world.login(admin);
    await set(admin, { pushkey: 'kept' });
    await set(other, { pushkey: 'gone' });
    await admin.post(path`/_service/admin/v1/reset_password/${admin.userId}`, {
      body: { new_password: 'new' },
    });
    await world.whenIdle();
    expect(await keysOf(admin.userId)).toEqual(['kept']);
    await set(admin, { pushkey: 'later' });
    expect(await keysOf(admin.userId)).toEqual(['kept', 'later']);
  });

  describe('3.1 administrators', () => {
    it.each([
      ['no id', 'nobody', 400, 'M_INVALID_PARAM'],
      ['a user of another server', '@a:elsewhere', 400, 'M_UNKNOWN'],
      ['an unknown user', '@nobody:test', 404, 'M_NOT_FOUND'],
    ])('administrators are refused %s', async (_, userId, status, errcode) => {
      expect(await world.admin.get(shownAt(userId))).toMatchObject(refusal(status, errcode));
    });
  });
});
