import { request as httpRequest } from 'node:http';
import { type Actor, path, type World } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { oneProcessChapter, pairedChapter } from './chapter.ts';
import { uploadFile } from './media-files.ts';
import { refusal } from './refusal.ts';

const UPLOAD = '/_proto/media/v3/upload';
const BACKUPS = '/_proto/client/v3/room_keys/version';
const KEYS = '/_proto/client/v3/room_keys/keys';
const PUSHERS = '/_proto/client/v3/pushers/set';
const MIB = 1024 * 1024;

const quotasOf = (userId: string) => path`/_service/admin/v1/users/${userId}/quotas`;
const dataAt = (userId: string, type: string) => path`/_proto/client/v3/user/${userId}/account_data/${type}`;
const aliasAt = (world: World, localpart: string) =>
  path`/_proto/client/v3/directory/room/${`#${localpart}:${world.serverName}`}`;

const exceeds = (kind: string, extra: Readonly<Record<string, unknown>> = {}) =>
  refusal(403, 'M_RESOURCE_LIMIT_EXCEEDED', { limit_type: kind, ...extra });

interface Quota {
  readonly used: number;
  readonly quota: number;
  readonly own: boolean;
}

type Quotas = Readonly<Record<string, Quota>>;

/** The statuses of requests sent concurrently, the lowest first. */
async function statusesOf(requests: readonly Promise<{ readonly status: number }>[]): Promise<number[]> {
  const replies = await Promise.all(requests);
  return replies.map(({ status }) => status).sort((a, b) => a - b);
}

async function quotaOf(world: World, user: Actor, kind: string): Promise<Quota | undefined> {
  const { body } = await world.admin.get<{ quotas: Quotas }>(quotasOf(user.userId));
  return body.quotas[kind];
}

const usedOf = async (world: World, user: Actor, kind: string) => (await quotaOf(world, user, kind))?.used;

async function limited(world: World, quotas: Readonly<Record<string, number>>): Promise<Actor> {
  const user = await world.user();
  expect(await world.admin.put(quotasOf(user.userId), { body: quotas })).toMatchObject({ status: 200 });
  return user;
}

const upload = (user: Actor, bytes = 'x') => user.post(UPLOAD, { rawBody: bytes });
const logIn = (world: World, user: Actor, fields: Readonly<Record<string, unknown>> = {}) =>
  world.http('POST', '/_proto/client/v3/login', {
    body: {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user: user.userId },
      password: user.password,
      ...fields,
    },
  });
const storeFilter = (user: Actor, limit: number) =>
  user.post(path`/_proto/client/v3/user/${user.userId}/filter`, { body: { room: { timeline: { limit } } } });
const setPusher = (user: Actor, pushkey: string, kind: string | null = 'http') =>
  user.post(PUSHERS, {
    body: {
      app_id: 'org.example.app',
      pushkey,
      kind,
      app_display_name: 'App',
      device_display_name: 'Phone',
      lang: 'en',
      data: { url: 'https://push.example.org/_matrix/push/v1/notify' },
    },
  });
const createBackup = (user: Actor) =>
  user.post<{ version: string }>(BACKUPS, { body: { algorithm: 'm.example', auth_data: {} } });
const backUp = (user: Actor, version: string, sessions: Readonly<Record<string, number>>) =>
  user.put(KEYS, {
    query: { version },
    body: {
      rooms: {
        '!room:test': {
          sessions: Object.fromEntries(
            Object.entries(sessions).map(([id, length]) => [
              id,
              {
                first_message_index: 10_000 - length,
                forwarded_count: 0,
                is_verified: false,
                session_data: { ciphertext: 'x'.repeat(length) },
              },
            ]),
          ),
        },
      },
    },
  });
const createRoom = async (user: Actor) =>
  (await user.post<{ room_id: string }>('/_proto/client/v3/createRoom', { body: {} })).body.room_id;

pairedChapter('Quotas', (world) => {
  describe('are read and set', () => {
    it.each([
      ['no user id', 'nobody', 400, 'M_INVALID_PARAM'],
      ['a user of another server', '@a:elsewhere', 400, 'M_UNKNOWN'],
      ['an unknown user', '@nobody:test', 404, 'M_NOT_FOUND'],
    ])('not of %s, whatever the body', async (_, userId, status, errcode) => {
      const request = { token: world.admin.token, rawBody: 'no JSON' };
      for (const verb of ['GET', 'PUT']) {
        expect(await world.http(verb, quotasOf(userId), request)).toMatchObject(refusal(status, errcode));
      }
    });

    it.each<[string, string, string]>([
      ['no body', '', 'M_NOT_JSON'],
      ['no object', '[]', 'M_BAD_JSON'],
      ...['-2', '"1"', '1.5', 'true', '9007199254740993'].map((value): [string, string, string] => [
        value,
        `{"devices":1,"media_count":${value}}`,
        'M_INVALID_PARAM',
      ]),
    ])('not to %s', async (_, rawBody, errcode) => {
      const user = await world.user();
      expect(await world.admin.put(quotasOf(user.userId), { rawBody })).toMatchObject(refusal(400, errcode));
      expect(await quotaOf(world, user, 'devices')).toMatchObject({ own: false });
    });

    it('with the use of each kind', async () => {
      const user = await world.user();
      await uploadFile(user, { bytes: '12345' });
      await storeFilter(user, 1);
      await user.put(dataAt(user.userId, 'a'), { body: {} });
      const { version } = (await createBackup(user)).body;
      await backUp(user, version, { a: 100, b: 100 });
      await setPusher(user, 'key');
      await user.put(aliasAt(world, world.freshName('alias')), { body: { room_id: await createRoom(user) } });
      const { status, body } = await world.admin.get<{ quotas: Quotas }>(quotasOf(user.userId));
      expect(status).toBe(200);
      const server = (used: unknown, quota: number) => ({ used, quota, own: false });
      expect(body.quotas).toEqual({
        media_bytes: server(5, 5 * 1024 * MIB),
        media_count: server(1, 50_000),
        key_backup_versions: server(1, 100),
        key_backup_bytes: server(expect.any(Number), 256 * MIB),
        aliases: server(1, 500),
        devices: server(1, 500),
        account_data_count: server(1, 10_000),
        account_data_bytes: server(expect.any(Number), 16 * MIB),
        filters: server(1, 1_000),
        pushers: server(1, 100),
      });
      expect(body.quotas.key_backup_bytes?.used).toBeGreaterThan(200);
      expect(body.quotas.key_backup_bytes?.used).toBeLessThan(2_000);
    });

    it('one by one, to a number, to none, or to that of the server', async () => {
      const user = await limited(world, { media_count: 0, devices: 7 });
      const body = { media_count: -1, filters: null, 'org.example.unknown': 1 };
      const reply = await world.admin.put<{ quotas: Quotas }>(quotasOf(user.userId), { body });
      expect(reply.body.quotas).toMatchObject({
        media_count: { used: 0, quota: -1, own: true },
        devices: { used: 1, quota: 7, own: true },
        filters: { own: false },
      });
      expect(await upload(user)).toMatchObject({ status: 200 });
      await world.admin.put(quotasOf(user.userId), { body: { media_count: null, devices: null } });
      expect(await quotaOf(world, user, 'media_count')).toEqual({ used: 1, quota: 50_000, own: false });
      expect(await quotaOf(world, user, 'devices')).toEqual({ used: 1, quota: 500, own: false });
    });

    it('of administrators, who otherwise have none', async () => {
      const admin = await world.user(undefined, { admin: true });
      expect(await quotaOf(world, admin, 'media_count')).toEqual({ used: 0, quota: -1, own: false });
      await world.admin.put(quotasOf(admin.userId), { body: { media_count: 0 } });
      expect(await upload(admin)).toMatchObject(exceeds('media_count'));
    });
  });

  describe('of media', () => {
    it('limit their number; a deletion makes room', async () => {
      const user = await limited(world, { media_count: 1 });
      const id = await uploadFile(user);
      expect(await upload(user)).toMatchObject(exceeds('media_count'));
      await world.admin.delete(path`/_service/admin/v1/media/${world.serverName}/${id}`);
      expect(await upload(user)).toMatchObject({ status: 200 });
      expect(await usedOf(world, user, 'media_count')).toBe(1);
    });

    it('limit their size', async () => {
      const user = await limited(world, { media_bytes: 10 });
      expect(await upload(user, '123456')).toMatchObject({ status: 200 });
      expect(await upload(user, '12345')).toMatchObject(exceeds('media_bytes'));
      expect(await upload(user, '1234')).toMatchObject({ status: 200 });
      expect(await usedOf(world, user, 'media_bytes')).toBe(10);
    });

    it('refuse an upload before its bytes arrive', async () => {
      const user = await limited(world, { media_bytes: 10 });
      const { status, text } = await headOnly(world, user, 11);
      expect([status, JSON.parse(text)]).toMatchObject([403, { limit_type: 'media_bytes' }]);
    });

    it('let one of several concurrent uploads pass', async () => {
      const user = await limited(world, { media_count: 1 });
      const uploads = Array.from({ length: 6 }, () => upload(user));
      expect(await statusesOf(uploads)).toEqual([200, 403, 403, 403, 403, 403]);
      expect(await usedOf(world, user, 'media_count')).toBe(1);
    });

    it('do not count an upload that is interrupted', async () => {
      const user = await limited(world, { media_bytes: 10 });
      await interrupted(world, user, 10);
      await expect.poll(async () => (await upload(user, '1234567890')).status).toBe(200);
    });

    it('leave a user beyond them everything, and administrators their rights', async () => {
      const user = await world.user();
      const ids = [await uploadFile(user), await uploadFile(user)];
      await world.admin.put(quotasOf(user.userId), { body: { media_count: 0, devices: 0 } });
      for (const id of ids) {
        const target = path`/_proto/client/v1/media/download/${world.serverName}/${id}`;
        expect(await user.get(target)).toMatchObject({ status: 200 });
      }
      expect(await quotaOf(world, user, 'media_count')).toEqual({ used: 2, quota: 0, own: true });
      const device = path`/_service/admin/v2/users/${user.userId}/devices`;
      expect(await world.admin.post(device, { body: { device_id: 'NEW' } })).toMatchObject({ status: 200 });
    });
  });

  describe('of devices', () => {
    it('refuse logins with a new one, and no others', async () => {
      const user = await limited(world, { devices: 2 });
      expect(await logIn(world, user, { device_id: 'SECOND' })).toMatchObject({ status: 200 });
      expect(await logIn(world, user)).toMatchObject(exceeds('devices'));
      expect(await logIn(world, user, { device_id: 'THIRD' })).toMatchObject(exceeds('devices'));
      expect(await logIn(world, user, { device_id: 'SECOND' })).toMatchObject({ status: 200 });
      await user.post('/_proto/client/v3/logout');
      expect(await logIn(world, user, { device_id: 'THIRD' })).toMatchObject({ status: 200 });
      expect(await usedOf(world, user, 'devices')).toBe(2);
    });

    it('permit a login with a device that an administrator created', async () => {
      const user = await limited(world, { devices: 1 });
      const devices = path`/_service/admin/v2/users/${user.userId}/devices`;
      await world.admin.post(devices, { body: { device_id: 'CREATED' } });
      expect(await logIn(world, user, { device_id: 'CREATED' })).toMatchObject({ status: 200 });
      expect(await logIn(world, user)).toMatchObject(exceeds('devices'));
    });

    it('quotas of devices are never exceeded by concurrent logins', async () => {
      const user = await limited(world, { devices: 3 });
      const logins = Array.from({ length: 5 }, () => logIn(world, user));
      const passed = (await statusesOf(logins)).filter((status) => status === 200).length;
      expect(passed).toBeLessThanOrEqual(2);
      expect(await usedOf(world, user, 'devices')).toBe(1 + passed);
    });
  });

  describe('of account data', () => {
    it('limit the number of objects, but not their changes', async () => {
      const user = await limited(world, { account_data_count: 2 });
      const put = (type: string, body: object) => user.put(dataAt(user.userId, type), { body });
      for (const type of ['a', 'b']) expect(await put(type, {})).toMatchObject({ status: 200 });
      expect(await put('c', {})).toMatchObject(exceeds('account_data_count'));
      const tag = path`/_proto/client/v3/user/${user.userId}/rooms/!room:test/tags/u.x`;
      expect(await user.put(tag, { body: {} })).toMatchObject(exceeds('account_data_count'));
      expect(await put('a', { longer: true })).toMatchObject({ status: 200 });
      expect(await usedOf(world, user, 'account_data_count')).toBe(2);
    });

    it('limit their size, but not replacing one by a smaller one', async () => {
      const user = await limited(world, { account_data_bytes: 4_096 });
      const put = (type: string, length: number) =>
        user.put(dataAt(user.userId, type), { body: { text: 'x'.repeat(length) } });
      expect(await put('a', 2_000)).toMatchObject({ status: 200 });
      expect(await put('b', 2_000)).toMatchObject(exceeds('account_data_bytes'));
      expect(await put('a', 3_500)).toMatchObject(exceeds('account_data_bytes'));
      await world.admin.put(quotasOf(user.userId), { body: { account_data_bytes: 10 } });
      expect(await put('a', 10)).toMatchObject({ status: 200 });
      expect(await put('a', 11)).toMatchObject(exceeds('account_data_bytes'));
    });

    it('let one of several concurrent objects pass', async () => {
      const user = await limited(world, { account_data_count: 1 });
      const requests = ['a', 'b', 'c', 'd'].map((type) => user.put(dataAt(user.userId, type), { body: {} }));
      expect(await statusesOf(requests)).toEqual([200, 403, 403, 403]);
      expect(await usedOf(world, user, 'account_data_count')).toBe(1);
    });
  });

  it('of filters limit different ones', async () => {
    const user = await limited(world, { filters: 2 });
    for (const limit of [1, 2, 1]) expect(await storeFilter(user, limit)).toMatchObject({ status: 200 });
    expect(await storeFilter(user, 3)).toMatchObject(exceeds('filters'));
    expect(await storeFilter(user, 2)).toMatchObject({ status: 200 });
    const other = await limited(world, { filters: 2 });
    const passed = (await statusesOf([1, 2, 3, 4, 5].map((limit) => storeFilter(other, limit)))).filter(
      (status) => status === 200,
    ).length;
    expect(passed).toBeLessThanOrEqual(2);
    expect(await usedOf(world, other, 'filters')).toBe(passed);
  });

  it('of pushers limit new ones', async () => {
    const user = await limited(world, { pushers: 1 });
    for (const key of ['a', 'a']) expect(await setPusher(user, key)).toMatchObject({ status: 200 });
    expect(await setPusher(user, 'b')).toMatchObject(exceeds('pushers'));
    expect(await setPusher(user, 'a', null)).toMatchObject({ status: 200 });
    expect(await setPusher(user, 'b')).toMatchObject({ status: 200 });
  });

  describe('of key backups', () => {
    it('limit their versions', async () => {
      const user = await limited(world, { key_backup_versions: 2 });
      const { version } = (await createBackup(user)).body;
      expect(await createBackup(user)).toMatchObject({ status: 200 });
      expect(await createBackup(user)).toMatchObject(exceeds('key_backup_versions'));
      expect((await user.get<{ version: string }>(BACKUPS)).body.version).not.toBe(version);
      await user.delete(`${BACKUPS}/${version}`);
      expect(await createBackup(user)).toMatchObject({ status: 200 });
    });

    it('limit the size of the keys in all versions', async () => {
      const user = await limited(world, { key_backup_bytes: 5_000 });
      const first = (await createBackup(user)).body.version;
      expect(await backUp(user, first, { a: 2_000 })).toMatchObject({ status: 200 });
      expect(await backUp(user, first, { b: 3_000 })).toMatchObject(exceeds('key_backup_bytes'));
      expect(await backUp(user, first, { a: 4_800 })).toMatchObject(exceeds('key_backup_bytes'));
      const second = (await createBackup(user)).body.version;
      expect(await backUp(user, second, { a: 3_000 })).toMatchObject(exceeds('key_backup_bytes'));
      await user.delete(`${BACKUPS}/${first}`);
      expect(await backUp(user, second, { a: 3_000 })).toMatchObject({ status: 200 });
      expect(await user.get(BACKUPS)).toMatchObject({ body: { count: 1, version: second } });
    });

    it('release the space of deleted keys', async () => {
      const user = await limited(world, { key_backup_bytes: 5_000 });
      const { version } = (await createBackup(user)).body;
      for (let round = 0; round < 3; round++) {
        expect(await backUp(user, version, { a: 2_000, b: 1_500 })).toMatchObject({ status: 200 });
        expect(await user.delete(KEYS, { query: { version } })).toMatchObject({ body: { count: 0 } });
      }
      expect(await usedOf(world, user, 'key_backup_bytes')).toBe(0);
    });

    it('quotas of key backups are never exceeded by concurrent requests', async () => {
      const user = await limited(world, { key_backup_bytes: 2_500 });
      const { version } = (await createBackup(user)).body;
      const requests = ['a', 'b', 'c'].map((id) => backUp(user, version, { [id]: 2_000 }));
      expect(await statusesOf(requests)).toEqual([200, 403, 403]);
      expect(await user.get(BACKUPS)).toMatchObject({ body: { count: 1 } });
    });
  });

  it('of aliases limit those that the user created', async () => {
    const user = await limited(world, { aliases: 2 });
    const room = await createRoom(user);
    const put = (localpart: string) => user.put(aliasAt(world, localpart), { body: { room_id: room } });
    const [first, second, third] = [0, 1, 2].map(() => world.freshName('alias')) as [string, string, string];
    expect(await put(first)).toMatchObject({ status: 200 });
    const body = { room_alias_name: second };
    expect(await user.post('/_proto/client/v3/createRoom', { body })).toMatchObject({ status: 200 });
    expect(await put(third)).toMatchObject(exceeds('aliases'));
    expect(
      await user.post('/_proto/client/v3/createRoom', { body: { room_alias_name: third } }),
    ).toMatchObject(exceeds('aliases'));
    expect(await user.get(aliasAt(world, third))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
    expect(await user.delete(aliasAt(world, first))).toMatchObject({ status: 200 });
    expect(await put(third)).toMatchObject({ status: 200 });
    expect(await usedOf(world, user, 'aliases')).toBe(2);
  });
});

oneProcessChapter(
  'Quotas of the server',
  (world) => {
    it('apply to users without quotas of their own, and name the contact', async () => {
      const user = await world.user();
      expect(await upload(user)).toMatchObject({ status: 200 });
      const contact = { admin_contact: 'mailto:admin@example.org' };
      expect(await upload(user)).toMatchObject(exceeds('media_count', contact));
      expect(await quotaOf(world, user, 'media_count')).toEqual({ used: 1, quota: 1, own: false });
      await world.admin.put(quotasOf(user.userId), { body: { media_count: -1 } });
      expect(await upload(user)).toMatchObject({ status: 200 });
    });

    it('do not apply to administrators', async () => {
      for (let i = 0; i < 3; i++) expect(await upload(world.admin)).toMatchObject({ status: 200 });
    });

    it('can be none', async () => {
      const user = await world.user();
      expect(await quotaOf(world, user, 'filters')).toEqual({ used: 0, quota: -1, own: false });
      expect(await storeFilter(user, 1)).toMatchObject({ status: 200 });
    });
  },
  {
    config: {
      quotas: { media_count: 1, filters: -1 },
      monthly_active_users: { admin_contact: 'mailto:admin@example.org' },
    },
  },
);

oneProcessChapter(
  'Free space on the disk',
  (world) => {
    it('free space on the disk is kept: uploads are refused, also those of administrators', async () => {
      const full = refusal(507, 'M_RESOURCE_LIMIT_EXCEEDED', { limit_type: 'disk' });
      expect(await upload(await world.user())).toMatchObject(full);
      expect(await upload(world.admin)).toMatchObject(full);
    });
  },
  { config: { media: { min_free_bytes: Number.MAX_SAFE_INTEGER } } },
);

/** The answer to an upload that has sent its headers only. */
function headOnly(
  world: World,
  user: Actor,
  length: number,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(UPLOAD, world.running.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-length': length },
    });
    request.on('error', reject);
    request.on('response', async (response) => {
      let text = '';
      for await (const piece of response.setEncoding('utf8')) text += piece;
      resolve({ status: response.statusCode, text });
      request.destroy();
    });
    request.flushHeaders();
  });
}

/** Sends an upload without its last byte, and closes the connection. */
function interrupted(world: World, user: Actor, length: number): Promise<void> {
  return new Promise((resolve) => {
    const request = httpRequest(new URL(UPLOAD, world.running.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-length': length },
    });
    request.on('error', () => {});
    request.on('close', () => resolve());
    request.write('x'.repeat(length - 1), () => request.destroy());
  });
}
