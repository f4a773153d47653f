import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { pairedChapter } from './chapter.ts';
import { refusal } from './refusal.ts';
import { deviceKeysOf, newCrossSigning, newSigningKey } from './signing-key.ts';

const CLIENT = '/_proto/client/v3';
const DEHYDRATED = '/_proto/client/unstable/org.matrix.msc3814.v1/dehydrated_device';
const CURVE = 'signed_curve25519';

interface Entry {
  readonly device_id: string;
  readonly [key: string]: unknown;
}

type Body = Readonly<Record<string, unknown>>;

const notFound = refusal(404, 'M_NOT_FOUND');

const key = (id: string) => ({ [`${CURVE}:${id}`]: { key: id } });

const bodyFor = ({ userId }: Pick<Actor, 'userId'>, device_id: string, fields: Body = {}) => ({
  device_id,
  device_data: { algorithm: 'm.dehydration.v2', device_pickle: 'cGlja2xl', nonce: 1.5 },
  device_keys: deviceKeysOf({ userId, deviceId: device_id }, newSigningKey()),
  ...fields,
});

const put = (user: Actor, body: Body) => user.put(DEHYDRATED, { body });

pairedChapter('14.3 Dehydrated devices', (world) => {
  const adminDevices = async (userId: string) => {
    const { body } = await world.admin.get<{ devices: Entry[]; total: number }>(
      path`/_service/admin/v2/users/${userId}/devices`,
    );
    expect(body.total).toBe(body.devices.length);
    return body.devices;
  };
  const deviceIds = async (user: Actor) =>
    (await adminDevices(user.userId)).map(({ device_id }) => device_id);
  const ownDeviceIds = async (user: Actor) => {
    const { body } = await user.get<{ devices: Entry[] }>(`${CLIENT}/devices`);
    return body.devices.map(({ device_id }) => device_id);
  };
  const queried = async (by: Actor, userId: string) => {
    const { body } = await by.post<{ device_keys: Record<string, Record<string, unknown>> }>(
      `${CLIENT}/keys/query`,
      { body: { device_keys: { [userId]: [] } } },
    );
    return body.device_keys[userId] ?? {};
  };
  const claimed = async (by: Actor, userId: string, deviceId: string) => {
    const { body } = await by.post<{ one_time_keys: Record<string, Record<string, object>> }>(
      `${CLIENT}/keys/claim`,
      { body: { one_time_keys: { [userId]: { [deviceId]: CURVE } } } },
    );
    return body.one_time_keys[userId]?.[deviceId];
  };
  /** Expects that nothing of a dehydrated device is left. */
  const expectGone = async (user: Actor, deviceId: string, by = user) => {
    expect(await user.get(DEHYDRATED)).toMatchObject(notFound);
    expect(await user.delete(DEHYDRATED)).toMatchObject(notFound);
    expect(await queried(by, user.userId)).not.toHaveProperty([deviceId]);
    expect(await claimed(by, user.userId, deviceId)).toBeUndefined();
    expect((await adminDevices(user.userId)).map(({ device_id }) => device_id)).not.toContain(deviceId);
  };

  it('dehydrated devices are announced as an unstable feature', async () => {
    const { body } = await world.http('GET', '/_proto/client/versions');
    expect(body).toMatchObject({ unstable_features: { 'org.matrix.msc3814': true } });
  });

  it('dehydrated devices are returned as stored, and deleted once', async () => {
    const user = await world.user();
    expect(await user.get(DEHYDRATED)).toMatchObject(notFound);
    expect(await user.delete(DEHYDRATED)).toMatchObject(notFound);
    const body = bodyFor(user, 'DRY/+ü');
    expect(await put(user, body)).toMatchObject({ status: 200, text: '{"device_id":"DRY/+ü"}' });
    const { status, body: found } = await user.get(DEHYDRATED);
    expect({ status, found }).toEqual({
      status: 200,
      found: { device_id: 'DRY/+ü', device_data: body.device_data },
    });
    expect((await user.get('/_matrix/client/unstable/org.matrix.msc3814.v1/dehydrated_device')).body).toEqual(
      found,
    );
    expect(await user.get(`${DEHYDRATED}/DRY/events`)).toMatchObject(refusal(405, 'M_UNRECOGNIZED'));
    expect(await user.delete(DEHYDRATED)).toMatchObject({ status: 200, text: '{"device_id":"DRY/+ü"}' });
    await expectGone(user, 'DRY/+ü');
  });

  it('dehydrated devices are devices: their keys are published, and they are listed', async () => {
    const [user, other] = [await world.user(), await world.user()];
    const body = bodyFor(user, 'DRY', {
      initial_device_display_name: 'Dehydrated',
      one_time_keys: { ...key('A'), ...key('B') },
      fallback_keys: key('F'),
    });
    await put(user, body);
    expect(await queried(other, user.userId)).toEqual({
      DRY: { ...body.device_keys, unsigned: { device_display_name: 'Dehydrated' } },
    });
    const keys: unknown[] = [];
    for (let n = 0; n < 4; n++) keys.push(await claimed(other, user.userId, 'DRY'));
    expect(keys).toEqual(expect.arrayContaining([key('A'), key('B')]));
    expect(keys.slice(2)).toEqual([key('F'), key('F')]);

    const entry = {
      device_id: 'DRY',
      user_id: user.userId,
      display_name: 'Dehydrated',
      last_seen_ip: null,
      last_seen_user_agent: null,
      last_seen_ts: null,
      dehydrated: true,
    };
    const listed = await adminDevices(user.userId);
    expect(listed.find(({ device_id }) => device_id === 'DRY')).toEqual(entry);
    expect(listed.find(({ device_id }) => device_id === user.deviceId)).toMatchObject({ dehydrated: false });
    const single = await world.admin.get(path`/_service/admin/v2/users/${user.userId}/devices/DRY`);
    expect(single.body).toEqual(entry);
    expect(await ownDeviceIds(user)).toEqual([user.deviceId]);
    expect((await user.get(`${CLIENT}/devices/DRY`)).body).toEqual({
      device_id: 'DRY',
      user_id: user.userId,
      display_name: 'Dehydrated',
      last_seen_ip: null,
      last_seen_ts: null,
    });
  });

  it('replace the previous one with its keys, whatever its id', async () => {
    const user = await world.user();
    await put(user, bodyFor(user, 'OLD', { one_time_keys: key('OLD'), fallback_keys: key('OLD-F') }));
    const second = bodyFor(user, 'NEW', { one_time_keys: key('A'), device_data: { algorithm: 'x' } });
    expect(await put(user, second)).toMatchObject({ status: 200, body: { device_id: 'NEW' } });
    expect(await claimed(user, user.userId, 'OLD')).toBeUndefined();
    expect(Object.keys(await queried(user, user.userId))).toEqual(['NEW']);
    expect((await user.get(DEHYDRATED)).body).toEqual({
      device_id: 'NEW',
      device_data: { algorithm: 'x' },
    });
    const third = bodyFor(user, 'NEW', { one_time_keys: key('B') });
    expect(await put(user, third)).toMatchObject({ status: 200 });
    expect(await queried(user, user.userId)).toEqual({ NEW: { ...third.device_keys, unsigned: {} } });
    expect(await claimed(user, user.userId, 'NEW')).toEqual(key('B'));
    expect(await claimed(user, user.userId, 'NEW')).toBeUndefined();
    expect(await deviceIds(user)).toEqual(['NEW', user.deviceId].sort());
  });

  it('dehydrated devices are one, whatever is stored concurrently', async () => {
    const user = await world.user();
    const bodies = Array.from({ length: 8 }, (_, n) =>
      bodyFor(user, n < 4 ? `DRY-${n}` : 'SAME', { one_time_keys: key(`K${n}`) }),
    );
    const replies = await Promise.all(bodies.map((body) => put(user, body)));
    for (const reply of replies) expect(reply).toMatchObject({ status: 200 });
    const { device_id: id } = (await user.get<Entry>(DEHYDRATED)).body;
    const keys = await queried(user, user.userId);
    expect(Object.keys(keys)).toEqual([id]);
    const [stored] = bodies.filter(
      ({ device_keys }) =>
        JSON.stringify((keys[id] as { signatures: object }).signatures) ===
        JSON.stringify(device_keys.signatures),
    );
    expect(await claimed(user, user.userId, id)).toEqual((stored as Body).one_time_keys);
    expect(await claimed(user, user.userId, id)).toBeUndefined();
    expect(await deviceIds(user)).toEqual([id, user.deviceId].sort());
  });

  describe('are removed with their keys and data', () => {
    const withDevice = async () => {
      const user = await world.user();
      await put(user, bodyFor(user, 'DRY', { one_time_keys: key('A'), fallback_keys: key('F') }));
      return user;
    };
    const proofOf = ({ userId, password }: Actor) => ({
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user: userId },
      password,
    });

    it('by an administrator', async () => {
      const user = await withDevice();
      await world.admin.delete(path`/_service/admin/v2/users/${user.userId}/devices/DRY`);
      await expectGone(user, 'DRY');
      await put(user, bodyFor(user, 'DRY'));
      await world.admin.post(path`/_service/admin/v2/users/${user.userId}/delete_devices`, {
        body: { devices: ['X', 'DRY'] },
      });
      await expectGone(user, 'DRY');
    });

    it('by their user', async () => {
      const user = await withDevice();
      const auth = proofOf(user);
      expect(await user.delete(`${CLIENT}/devices/DRY`, { body: { auth } })).toMatchObject({ status: 200 });
      await expectGone(user, 'DRY');
      await put(user, bodyFor(user, 'DRY'));
      const reply = await user.post(`${CLIENT}/delete_devices`, { body: { devices: ['DRY'], auth } });
      expect(reply).toMatchObject({ status: 200 });
      await expectGone(user, 'DRY');
    });

    it('at the end of all sessions, and not at the end of one', async () => {
      const user = await withDevice();
      const second = await world.login(user);
      await user.post(`${CLIENT}/logout`);
      expect(await second.get(DEHYDRATED)).toMatchObject({ status: 200, body: { device_id: 'DRY' } });
      await second.post(`${CLIENT}/logout/all`);
      await expectGone(await world.login(user), 'DRY');
    });

    it('with the other devices at a change of the password', async () => {
      const user = await withDevice();
      const reply = await user.post(`${CLIENT}/account/password`, {
        body: { new_password: 'a new password', auth: proofOf(user) },
      });
      expect(reply).toMatchObject({ status: 200 });
      await expectGone(user, 'DRY');
      // The session that was spared can store another one.
      expect(await put(user, bodyFor(user, 'DRY'))).toMatchObject({ status: 200 });
      expect(await user.get(DEHYDRATED)).toMatchObject({ body: { device_id: 'DRY' } });
    });

    it('by a deactivation', async () => {
      const user = await withDevice();
      const target = path`/_service/admin/v2/users/${user.userId}`;
      await world.admin.put(target, { body: { deactivated: true } });
      expect(await queried(world.admin, user.userId)).toEqual({});
      expect(await claimed(world.admin, user.userId, 'DRY')).toBeUndefined();
      expect(await adminDevices(user.userId)).toEqual([]);
      await world.admin.put(target, { body: { deactivated: false, password: user.password } });
      await expectGone(await world.login(user), 'DRY');
    });

    it('by a login with their id', async () => {
      const user = await withDevice();
      const login = await world.http<{ access_token: string }>('POST', `${CLIENT}/login`, {
        body: { ...proofOf(user), device_id: 'DRY' },
      });
      expect(login).toMatchObject({ status: 200, body: { device_id: 'DRY' } });
      expect(await user.get(DEHYDRATED)).toMatchObject(notFound);
      expect(await queried(user, user.userId)).toEqual({});
      expect(await claimed(user, user.userId, 'DRY')).toBeUndefined();
      const listed = await adminDevices(user.userId);
      expect(listed.find(({ device_id }) => device_id === 'DRY')).not.toHaveProperty('dehydrated');
      await put(user, bodyFor(user, 'DRY-2'));
      expect((await ownDeviceIds(user)).sort()).toEqual(['DRY', user.deviceId].sort());
    });
  });

  describe('are refused, and the previous one stays,', () => {
    const cases: readonly [string, (user: Actor) => Body | Promise<Body>, string][] = [
      ['without an id', (user) => ({ ...bodyFor(user, 'D'), device_id: undefined }), 'M_MISSING_PARAM'],
      ['with a number as the id', (user) => ({ ...bodyFor(user, 'D'), device_id: 1 }), 'M_INVALID_PARAM'],
      ['with an empty id', (user) => bodyFor(user, ''), 'M_INVALID_PARAM'],
      ['with dots, which no path can name, as the id', (user) => bodyFor(user, '..'), 'M_INVALID_PARAM'],
      ['with a long id', (user) => bodyFor(user, 'D'.repeat(513)), 'M_INVALID_PARAM'],
      ['without data', (user) => bodyFor(user, 'D', { device_data: undefined }), 'M_MISSING_PARAM'],
      ['with null as data', (user) => bodyFor(user, 'D', { device_data: null }), 'M_BAD_JSON'],
      ['with a string as data', (user) => bodyFor(user, 'D', { device_data: 'x' }), 'M_BAD_JSON'],
      ['with a list as data', (user) => bodyFor(user, 'D', { device_data: [] }), 'M_BAD_JSON'],
      ['without an algorithm', (user) => bodyFor(user, 'D', { device_data: {} }), 'M_MISSING_PARAM'],
      [
        'with a number as the algorithm',
        (user) => bodyFor(user, 'D', { device_data: { algorithm: 1 } }),
        'M_BAD_JSON',
      ],
      [
        'with long data',
        (user) => bodyFor(user, 'D', { device_data: { algorithm: 'x', pickle: 'x'.repeat(64 * 1024) } }),
        'M_TOO_LARGE',
      ],
      ['without keys', (user) => bodyFor(user, 'D', { device_keys: undefined }), 'M_MISSING_PARAM'],
      ['with null as keys', (user) => bodyFor(user, 'D', { device_keys: null }), 'M_BAD_JSON'],
      [
        'with the keys of another device',
        (user) => ({ ...bodyFor(user, 'D'), device_id: 'E' }),
        'M_BAD_JSON',
      ],
      [
        'with the keys of another user',
        (user) => ({ ...bodyFor({ userId: '@other:test' }, 'D'), user: user.userId }),
        'M_BAD_JSON',
      ],
      [
        'with malformed one-time keys',
        (user) => bodyFor(user, 'D', { one_time_keys: { x: 'y' } }),
        'M_BAD_JSON',
      ],
      [
        'with too many one-time keys',
        (user) =>
          bodyFor(user, 'D', {
            one_time_keys: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`a:${n}`, 'x'])),
          }),
        'M_INVALID_PARAM',
      ],
      [
        'with too many fallback keys',
        (user) =>
          bodyFor(user, 'D', {
            fallback_keys: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`a${n}:b`, 'x'])),
          }),
        'M_INVALID_PARAM',
      ],
      [
        'with malformed fallback keys',
        (user) => bodyFor(user, 'D', { fallback_keys: { 'a:b': 1 } }),
        'M_BAD_JSON',
      ],
      [
        'with a long name',
        (user) => bodyFor(user, 'D', { initial_device_display_name: 'x'.repeat(101) }),
        'M_TOO_LARGE',
      ],
      ['with the id of another device', (user) => bodyFor(user, user.deviceId), 'M_INVALID_PARAM'],
      [
        'with the id of a cross-signing key',
        async (user) => {
          const { body, master } = newCrossSigning(user.userId);
          await user.post(`${CLIENT}/keys/device_signing/upload`, { body });
          return bodyFor(user, master.publicKey);
        },
        'M_INVALID_PARAM',
      ],
    ];

    it.each(cases)('%s', async (_, refused, errcode) => {
      const user = await world.user();
      const before = bodyFor(user, 'BEFORE', { one_time_keys: key('A') });
      await put(user, before);
      expect(await put(user, await refused(user))).toMatchObject(refusal(400, errcode));
      expect(await user.get(DEHYDRATED)).toMatchObject({
        body: { device_id: 'BEFORE', device_data: before.device_data },
      });
      expect(Object.keys(await queried(user, user.userId))).toEqual(['BEFORE']);
      expect(await claimed(user, user.userId, 'BEFORE')).toEqual(key('A'));
      expect(await deviceIds(user)).toEqual(['BEFORE', user.deviceId].sort());
    });

    it('without an object as the body', async () => {
      const user = await world.user();
      for (const rawBody of ['', 'x', '[]'])
        expect(await user.put(DEHYDRATED, { rawBody })).toMatchObject({ status: 400 });
    });
  });

  it('dehydrated devices are those of their user', async () => {
    const [user, other] = [await world.user(), await world.user()];
    await put(user, bodyFor(user, 'DRY', { one_time_keys: key('A') }));
    expect(await other.get(DEHYDRATED)).toMatchObject(notFound);
    await put(other, bodyFor(other, 'DRY'));
    await other.delete(DEHYDRATED);
    expect(await user.get(DEHYDRATED)).toMatchObject({ body: { device_id: 'DRY' } });
    expect(await claimed(other, user.userId, 'DRY')).toEqual(key('A'));
  });

  it('can be named like other devices', async () => {
    const user = await world.user();
    await put(user, bodyFor(user, 'DRY'));
    await user.put(`${CLIENT}/devices/DRY`, { body: { display_name: 'Named' } });
    expect(await user.get(DEHYDRATED)).toMatchObject({ body: { device_id: 'DRY' } });
    const listed = await adminDevices(user.userId);
    expect(listed.find(({ device_id }) => device_id === 'DRY')).toMatchObject({
      display_name: 'Named',
      dehydrated: true,
    });
  });
});
