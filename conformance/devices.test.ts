import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const WHOAMI = '/_proto/client/v3/account/whoami';

const list = (userId: string) => path`/_service/admin/v2/users/${userId}/devices`;
const one = (userId: string, deviceId: string) =>
  path`/_service/admin/v2/users/${userId}/devices/${deviceId}`;
const deletion = (userId: string) => path`/_service/admin/v2/users/${userId}/delete_devices`;

pairedChapter('3 Devices', (world) => {
  const create = (userId: string, device_id: unknown) =>
    world.admin.post(list(userId), { body: { device_id } });

  describe.each([
    ['GET', list],
    ['POST', list],
    ['POST', deletion],
    ['GET', (userId: string) => one(userId, 'D')],
    ['PUT', (userId: string) => one(userId, 'D')],
    ['DELETE', (userId: string) => one(userId, 'D')],
  ])('%s %s', (verb, target) => {
    it.each([
      ['no id', 'nobody', 400, 'M_INVALID_PARAM'],
      ['a user of another server', '@a:elsewhere', 400, 'M_UNKNOWN'],
      ['an unknown user', '@nobody:test', 404, 'M_NOT_FOUND'],
    ])('refuses %s before it reads the body', async (_, userId, status, errcode) => {
      const request = { token: world.admin.token, rawBody: 'no JSON' };
      expect(await world.http(verb, target(userId), request)).toMatchObject(refusal(status, errcode));
    });
  });

  it('devices are available for deactivated users', async () => {
    const user = await world.account();
    await world.admin.post(path`/_service/admin/v1/deactivate/${user}`);
    expect(await create(user, 'D')).toMatchObject({ status: 200 });
    const body = { display_name: 'Name', devices: [] };
    expect(await world.admin.put(one(user, 'D'), { body })).toMatchObject({ status: 200 });
    expect(await world.admin.get(one(user, 'D'))).toMatchObject({ status: 200 });
    expect(await world.admin.get(list(user))).toMatchObject({ status: 200, body: { total: 1 } });
    expect(await world.admin.post(deletion(user), { body })).toMatchObject({ status: 200 });
    expect(await world.admin.delete(one(user, 'D'))).toMatchObject({ status: 200 });
  });

  describe('listing', () => {
    it('returns them in ascending order, with all fields', async () => {
      const user = await world.account();
      for (const id of ['b', 'B', 'a', 'ä', '\uFF5E', '😀', '10', '9']) await create(user, id);
      await world.admin.put(one(user, 'a'), { body: { display_name: 'Named' } });
      const { status, body } = await world.admin.get<{ devices: { device_id: string }[]; total: number }>(
        list(user),
      );
      expect(status).toBe(200);
      expect(body.total).toBe(8);
      const ids = body.devices.map(({ device_id }) => device_id);
      expect(ids).toEqual(['10', '9', 'B', 'a', 'b', 'ä', '\uFF5E', '😀']);
      const unseen = { last_seen_ip: null, last_seen_user_agent: null, last_seen_ts: null, user_id: user };
      expect(body.devices[2]).toEqual({ device_id: 'B', ...unseen });
      expect(body.devices[3]).toEqual({ device_id: 'a', display_name: 'Named', ...unseen });
    });

    it('returns an empty list for a user without devices', async () => {
      const { text } = await world.admin.get(list(await world.account()));
      expect(JSON.parse(text)).toEqual({ devices: [], total: 0 });
    });

    it('omits devices of other users', async () => {
      const [user, other] = [await world.user(), await world.user()];
      const { body } = await world.admin.get(list(user.userId));
      expect(body).toMatchObject({ devices: [{ device_id: user.deviceId, user_id: user.userId }], total: 1 });
      expect(await world.admin.get(one(user.userId, other.deviceId))).toMatchObject(
        refusal(404, 'M_NOT_FOUND'),
      );
    });
  });

  describe('creating', () => {
    it.each([
      ['no body', '', 'M_NOT_JSON'],
      ['no JSON', 'x', 'M_NOT_JSON'],
      ['no object', '["D"]', 'M_BAD_JSON'],
      ['no id', '{}', 'M_UNKNOWN'],
      ['an empty id', '{"device_id":""}', 'M_UNKNOWN'],
      ['an id that is not a string', '{"device_id":1}', 'M_UNKNOWN'],
      ['null', '{"device_id":null}', 'M_UNKNOWN'],
      ['a list', '{"device_id":["D"]}', 'M_UNKNOWN'],
      // Clients remove these segments from paths, so that no path could name the device.
      ['a dot', '{"device_id":"."}', 'M_UNKNOWN'],
      ['two dots', '{"device_id":".."}', 'M_UNKNOWN'],
    ])('refuses %s', async (_, rawBody, errcode) => {
      const user = await world.account();
      expect(await world.admin.post(list(user), { rawBody })).toMatchObject(refusal(400, errcode));
      expect((await world.admin.get(list(user))).body.total).toBe(0);
    });

    it.each(['D', 'a/b', 'a b', '%2F', '😀', '...', '.a', '__proto__', 'x'.repeat(512)])(
      'accepts the id %j',
      async (id) => {
        const user = await world.account();
        expect(await create(user, id)).toMatchObject({ status: 200, text: '{}' });
        expect(await world.admin.get(one(user, id))).toMatchObject({
          status: 200,
          body: { device_id: id, user_id: user },
        });
      },
    );

    it('does not change an existing device', async () => {
      const user = await world.user();
      await world.admin.put(one(user.userId, user.deviceId), { body: { display_name: 'Mine' } });
      expect(await create(user.userId, user.deviceId)).toMatchObject({ status: 200, text: '{}' });
      expect(await world.admin.get(one(user.userId, user.deviceId))).toMatchObject({
        body: { display_name: 'Mine' },
      });
      expect(await user.get(WHOAMI)).toMatchObject({ status: 200 });
    });
  });

  describe('reading one', () => {
    it('returns an existing device', async () => {
      const user = await world.user();
      const { status, body } = await world.admin.get(one(user.userId, user.deviceId));
      expect(status).toBe(200);
      expect(body).toMatchObject({ device_id: user.deviceId, user_id: user.userId });
      expect(body).not.toHaveProperty('display_name');
      expect(Object.keys(body).sort()).toEqual([
        'device_id',
        'last_seen_ip',
        'last_seen_ts',
        'last_seen_user_agent',
        'user_id',
      ]);
    });

    it.each(['unknown', '', ' ', '%00'])('does not find an unknown one: %j', async (id) => {
      expect(await world.admin.get(one(await world.account(), id))).toMatchObject(
        refusal(404, 'M_NOT_FOUND'),
      );
    });
  });

  describe('renaming', () => {
    it.each([
      ['no JSON', 'x', 'M_NOT_JSON'],
      ['no object', '[]', 'M_BAD_JSON'],
      ['a number', '{"display_name":1}', 'M_INVALID_PARAM'],
      ['an object', '{"display_name":{}}', 'M_INVALID_PARAM'],
      ['101 characters', JSON.stringify({ display_name: 'a'.repeat(101) }), 'M_TOO_LARGE'],
    ])('refuses %s, before it looks up the device', async (_, rawBody, errcode) => {
      const user = await world.user();
      expect(await world.admin.put(one(user.userId, user.deviceId), { rawBody })).toMatchObject(
        refusal(400, errcode),
      );
      expect(await world.admin.put(one(user.userId, 'unknown'), { rawBody })).toMatchObject(
        refusal(400, errcode),
      );
    });

    it.each(['Name', '', ' ', '😀'.repeat(100)])('accepts the name %j', async (display_name) => {
      const { userId, deviceId } = await world.user();
      expect(await world.admin.put(one(userId, deviceId), { body: { display_name } })).toMatchObject({
        status: 200,
        text: '{}',
      });
      expect((await world.admin.get(one(userId, deviceId))).body.display_name).toBe(display_name);
    });

    it.each(['', '{}', '{"display_name":null}', '{"unknown":1}'])(
      'changes nothing without a name: %j',
      async (rawBody) => {
        const { userId, deviceId } = await world.user();
        await world.admin.put(one(userId, deviceId), { body: { display_name: 'Kept' } });
        expect(await world.admin.put(one(userId, deviceId), { rawBody })).toMatchObject({ status: 200 });
        expect((await world.admin.get(one(userId, deviceId))).body.display_name).toBe('Kept');
        expect(await world.admin.put(one(userId, 'unknown'), { rawBody })).toMatchObject({ status: 200 });
        expect((await world.admin.get(list(userId))).body.total).toBe(1);
      },
    );

    it('does not find an unknown device', async () => {
      const target = one(await world.account(), 'unknown');
      expect(await world.admin.put(target, { body: { display_name: 'Name' } })).toMatchObject(
        refusal(404, 'M_NOT_FOUND'),
      );
    });
  });

  describe('deleting one', () => {
    it('ends its session', async () => {
      const user = await world.user();
      const other = await world.login(user);
      expect(await world.admin.delete(one(user.userId, user.deviceId))).toMatchObject({
        status: 200,
        text: '{}',
      });
      await world.whenIdle();
      expect(await user.get(WHOAMI)).toMatchObject(refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false }));
      expect(await other.get(WHOAMI)).toMatchObject({ status: 200 });
      expect((await world.admin.get(list(user.userId))).body).toMatchObject({
        devices: [{ device_id: other.deviceId }],
        total: 1,
      });
    });

    it('succeeds for an unknown one', async () => {
      expect(await world.admin.delete(one(await world.account(), 'unknown'))).toMatchObject({
        status: 200,
        text: '{}',
      });
    });
  });

  describe('deleting several', () => {
    it.each([
      ['no body', '', 'M_NOT_JSON'],
      ['no JSON', 'x', 'M_NOT_JSON'],
      ['no object', '["D"]', 'M_BAD_JSON'],
      ['no list', '{}', 'M_MISSING_PARAM'],
      ['a string', '{"devices":"D"}', 'M_BAD_JSON'],
      ['null', '{"devices":null}', 'M_BAD_JSON'],
      ['a list with a number', '{"devices":["D",1]}', 'M_BAD_JSON'],
      ['a list with null', '{"devices":[null]}', 'M_BAD_JSON'],
    ])('refuses %s, and deletes none', async (_, rawBody, errcode) => {
      const user = await world.account();
      await create(user, 'D');
      expect(await world.admin.post(deletion(user), { rawBody })).toMatchObject(refusal(400, errcode));
      expect((await world.admin.get(list(user))).body.total).toBe(1);
    });

    it('deletes the named ones with their sessions and ignores unknown ones', async () => {
      const user = await world.user();
      const [second, third] = [await world.login(user), await world.login(user)];
      const devices = [user.deviceId, second.deviceId, 'unknown', user.deviceId];
      expect(await world.admin.post(deletion(user.userId), { body: { devices } })).toMatchObject({
        status: 200,
        text: '{}',
      });
      await world.whenIdle();
      expect((await user.get(WHOAMI)).status).toBe(401);
      expect((await second.get(WHOAMI)).status).toBe(401);
      expect((await third.get(WHOAMI)).status).toBe(200);
      expect((await world.admin.get(list(user.userId))).body.total).toBe(1);
    });

    it('accepts an empty list', async () => {
      const user = await world.user();
      expect(await world.admin.post(deletion(user.userId), { body: { devices: [] } })).toMatchObject({
        status: 200,
        text: '{}',
      });
      expect((await world.admin.get(list(user.userId))).body.total).toBe(1);
    });
  });
});
