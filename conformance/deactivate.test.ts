import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const at = (userId: string) => path`/_service/admin/v1/deactivate/${userId}`;

const WHOAMI = '/_proto/client/v3/account/whoami';

chapter('2.5 Deactivating', (world) => {
  const deactivate = (userId: string, body?: unknown) => world.admin.post(at(userId), { body });
  const readUser = async (userId: string) =>
    (await world.admin.get(path`/_service/admin/v2/users/${userId}`)).body;

  it.each([
    ['no id', 'nobody', 'no JSON', 400, 'M_INVALID_PARAM'],
    ['a user of another server', '@a:elsewhere', 'no JSON', 400, 'M_UNKNOWN'],
    ['an unknown user', '@nobody:test', 'no JSON', 404, 'M_NOT_FOUND'],
    ['an unknown user, invalid body', '@nobody:test', '{"erase":1}', 404, 'M_NOT_FOUND'],
  ])('refuses %s', async (_, userId, rawBody, status, errcode) => {
    expect(await world.admin.post(at(userId), { rawBody })).toMatchObject(refusal(status, errcode));
  });

  it.each([
    ['no JSON', 'erase', 'M_NOT_JSON'],
    ['no object', '[]', 'M_BAD_JSON'],
    ['erase: a number', '{"erase":1}', 'M_BAD_JSON'],
    ['erase: a string', '{"erase":"true"}', 'M_BAD_JSON'],
    ['erase: null', '{"erase":null}', 'M_BAD_JSON'],
  ])('refuses %s, and the account stays active', async (_, rawBody, errcode) => {
    const user = await world.account();
    expect(await world.admin.post(at(user), { rawBody })).toMatchObject(refusal(400, errcode));
    expect(await readUser(user)).toMatchObject({ deactivated: 0 });
  });

  it.each([undefined, {}, { erase: false }, { erase: true }, { unknown: 1 }])(
    'accepts the body %j',
    async (body) => {
      const user = await world.account();
      expect(await deactivate(user, body)).toMatchObject({
        status: 200,
        body: { id_server_unbind_result: 'success' },
      });
      expect(await readUser(user)).toMatchObject({ deactivated: 1, erased: body?.erase === true });
    },
  );

  it('ends all access of the user and removes their data', async () => {
    const user = await world.user('gone');
    const other = await world.login(user);
    const address = `${world.freshName()}@example.org`;
    await world.admin.put(path`/_service/admin/v2/users/${user.userId}`, {
      body: { threepids: [{ medium: 'email', address }] },
    });
    await deactivate(user.userId);
    for (const session of [user, other]) {
      expect(await session.get(WHOAMI)).toMatchObject(
        refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false }),
      );
    }
    await expect(world.login(user)).rejects.toThrow('M_FORBIDDEN');
    await world.whenIdle();
    expect((await readUser(user.userId)).threepids).toEqual([]);
    const devices = await world.admin.get(path`/_service/admin/v2/users/${user.userId}/devices`);
    expect(devices.body).toEqual({ devices: [], total: 0 });
    expect(await world.admin.get(path`/_service/admin/v1/threepid/email/users/${address}`)).toMatchObject(
      refusal(404, 'M_NOT_FOUND'),
    );
  });

  it('keeps flags, profile, external ids and the time of creation', async () => {
    const external_ids = [{ auth_provider: 'oidc', external_id: world.freshName() }];
    const fields = { displayname: 'Kept', avatar_url: 'mxc://test/kept', user_type: 'bot', external_ids };
    const user = await world.account('kept', { ...fields, admin: true });
    await world.admin.put(path`/_service/admin/v2/users/${user}`, { body: { locked: true } });
    const before = await readUser(user);
    await deactivate(user);
    expect(await readUser(user)).toEqual({ ...before, deactivated: 1 });
  });

  it('erases on request, also later', async () => {
    const user = await world.account('x', { displayname: 'X', avatar_url: 'mxc://test/x', admin: true });
    await deactivate(user);
    expect(await readUser(user)).toMatchObject({ displayname: 'X', erased: false });
    await deactivate(user, { erase: true });
    const erased = { displayname: null, avatar_url: null, erased: true, deactivated: 1, admin: 1 };
    expect(await readUser(user)).toMatchObject(erased);
    await deactivate(user);
    expect(await readUser(user)).toMatchObject(erased);
  });

  it('keeps the name taken', async () => {
    const { localpart, userId } = await world.user();
    await deactivate(userId);
    const available = await world.admin.get('/_service/admin/v1/username_available', {
      query: { username: localpart },
    });
    expect(available).toMatchObject(refusal(400, 'M_USER_IN_USE'));
  });

  it('administrators may deactivate themselves', async () => {
    const admin = await world.user('admin', { admin: true });
    expect(await admin.post(at(admin.userId))).toMatchObject({ status: 200 });
    expect(await admin.get(WHOAMI)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
  });

  describe('0.9 a deactivated account', () => {
    it('can be locked and unlocked like any other', async () => {
      const user = await world.account();
      await deactivate(user);
      const target = path`/_service/admin/v2/users/${user}`;
      expect(await world.admin.put(target, { body: { locked: true } })).toMatchObject({
        status: 200,
        body: { locked: true, deactivated: 1 },
      });
    });
  });
});
