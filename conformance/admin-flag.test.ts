import { path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const at = (userId: string) => path`/_service/admin/v1/users/${userId}/admin`;

chapter('2.7 The administrator flag', (world) => {
  it.each([
    ['no id', 'nobody', 400, 'M_INVALID_PARAM'],
    ['a user of another server', '@a:elsewhere', 400, 'M_UNKNOWN'],
  ])('reading it is refused for %s', async (_, userId, status, errcode) => {
    expect(await world.admin.get(at(userId))).toMatchObject(refusal(status, errcode));
  });

  it('the administrator flag is a boolean, and false for an unknown user', async () => {
    expect(await world.admin.get(at('@nobody:test'))).toMatchObject({ status: 200, text: '{"admin":false}' });
    expect((await world.admin.get(at(await world.account()))).body).toEqual({ admin: false });
    expect((await world.admin.get(at(world.admin.userId))).body).toEqual({ admin: true });
  });

  it.each([
    ['no id', 'nobody', 'no JSON', 400, 'M_INVALID_PARAM'],
    ['no body', '@a:elsewhere', '', 400, 'M_NOT_JSON'],
    ['no JSON', '@a:elsewhere', 'x', 400, 'M_NOT_JSON'],
    ['no object', '@a:elsewhere', '[true]', 400, 'M_BAD_JSON'],
    ['no flag', '@a:elsewhere', '{}', 400, 'M_MISSING_PARAM'],
    ['a string', '@a:test', '{"admin":"false"}', 400, 'M_BAD_JSON'],
    ['a number', '@a:test', '{"admin":1}', 400, 'M_BAD_JSON'],
    ['null', '@a:test', '{"admin":null}', 400, 'M_BAD_JSON'],
    ['a user of another server', '@a:elsewhere', '{"admin":true}', 400, 'M_UNKNOWN'],
    ['an unknown user', '@nobody:test', '{"admin":true}', 404, 'M_UNKNOWN'],
  ])('writing it is refused for %s', async (_, userId, rawBody, status, errcode) => {
    expect(await world.admin.put(at(userId), { rawBody })).toMatchObject(refusal(status, errcode));
  });

  it('administrators cannot demote themselves', async () => {
    const admin = await world.user('admin', { admin: true });
    const demoted = await admin.put(at(admin.userId), { body: { admin: false } });
    expect(demoted).toMatchObject(refusal(400, 'M_UNKNOWN'));
    expect(await admin.put(at(admin.userId), { body: { admin: true } })).toMatchObject({ status: 200 });
    expect((await admin.get(at(admin.userId))).body).toEqual({ admin: true });
  });

  it('can be granted and revoked', async () => {
    const user = await world.account();
    for (const admin of [true, true, false, false]) {
      expect(await world.admin.put(at(user), { body: { admin } })).toMatchObject({ status: 200, text: '{}' });
      expect((await world.admin.get(at(user))).body).toEqual({ admin });
      const { body } = await world.admin.get(path`/_service/admin/v2/users/${user}`);
      expect(body.admin).toBe(Number(admin));
    }
  });

  it('works on a deactivated account', async () => {
    const user = await world.account();
    await world.admin.post(path`/_service/admin/v1/deactivate/${user}`);
    expect(await world.admin.put(at(user), { body: { admin: true } })).toMatchObject({ status: 200 });
  });
});
