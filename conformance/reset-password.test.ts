import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const at = (userId: string) => path`/_service/admin/v1/reset_password/${userId}`;

const WHOAMI = '/_proto/client/v3/account/whoami';

chapter('2.6 Resetting a password', (world) => {
  const GOOD = '{"new_password":"x"}';

  it.each([
    ['no id', 'nobody', 'no JSON', 400, 'M_INVALID_PARAM'],
    ['no body', '@nobody:test', '', 400, 'M_NOT_JSON'],
    ['no JSON', '@nobody:test', 'x', 400, 'M_NOT_JSON'],
    ['no object', '@nobody:test', '[]', 400, 'M_BAD_JSON'],
    ['no password', '@nobody:test', '{}', 400, 'M_MISSING_PARAM'],
    ['a password under another name', '@nobody:test', '{"password":"x"}', 400, 'M_MISSING_PARAM'],
    ['a password that is not a string', '@nobody:test', '{"new_password":1}', 400, 'M_INVALID_PARAM'],
    ['null', '@nobody:test', '{"new_password":null}', 400, 'M_INVALID_PARAM'],
    ['an unknown user', '@nobody:test', GOOD, 404, 'M_NOT_FOUND'],
    ['a user of another server', '@a:elsewhere', GOOD, 404, 'M_NOT_FOUND'],
  ])('refuses %s', async (_, userId, rawBody, status, errcode) => {
    expect(await world.admin.post(at(userId), { rawBody })).toMatchObject(refusal(status, errcode));
  });

  it('refuses a password that is too long', async () => {
    const body = { new_password: 'a'.repeat(513) };
    expect((await world.admin.post(at(await world.account()), { body })).status).toBe(400);
  });

  it.each([
    ['by default', {}, true],
    ['on request', { logout_devices: true }, true],
    ['for any truthy value', { logout_devices: 'false' }, true],
    ['for any number but 0', { logout_devices: 2 }, true],
    ['not for false', { logout_devices: false }, false],
    ['not for 0', { logout_devices: 0 }, false],
    ['not for null', { logout_devices: null }, false],
    ['not for an empty string', { logout_devices: '' }, false],
    ['not for an empty list', { logout_devices: [] }, false],
  ])('sets the password and logs out: %s', async (_, fields, loggedOut) => {
    const user = await world.user();
    const body = { new_password: 'new', ...fields };
    expect(await world.admin.post(at(user.userId), { body })).toMatchObject({ status: 200, text: '{}' });
    await world.whenIdle();
    expect((await user.get(WHOAMI)).status).toBe(loggedOut ? 401 : 200);
    await expect(world.login(user)).rejects.toThrow('403');
    expect(await world.login({ ...user, password: 'new' })).toMatchObject({ userId: user.userId });
  });

  it("of the caller's own account keeps the calling device", async () => {
    const admin = await world.user('admin', { admin: true });
    const other = await world.login(admin);
    const reply = await admin.post(at(admin.userId), { body: { new_password: 'new' } });
    expect(reply.status).toBe(200);
    await world.whenIdle();
    expect(await admin.get(WHOAMI)).toMatchObject({ status: 200 });
    expect(await other.get(WHOAMI)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN'));
  });

  it('of a deactivated account does not reactivate it', async () => {
    const user = await world.user();
    await world.admin.post(path`/_service/admin/v1/deactivate/${user.userId}`);
    const reply = await world.admin.post(at(user.userId), { body: { new_password: 'new' } });
    expect(reply.status).toBe(200);
    const { body } = await world.admin.get(path`/_service/admin/v2/users/${user.userId}`);
    expect(body.deactivated).toBe(1);
    await expect(world.login({ ...user, password: 'new' })).rejects.toThrow('403');
  });
});
