import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_FILE } from '@steward/runtime';
import { openSqliteStore } from '@steward/store';
import { registrationMac, sendHttp } from '@steward/testing';
import { createPasswords, devices, tokens } from '@steward/user/testing';
import { describe, expect, it } from 'vitest';
import { type Ended, onSite, runCommand, type Settings, type Site } from '../fixtures/processes.ts';
import { KINDS } from './kinds.ts';

const SECRET = 'secret';

/** A data set beside a data directory, and the command that loads it into that directory. */
interface Import {
  /** Writes a file of the data set, one record a line, and returns its path. */
  write(name: string, records: readonly unknown[]): Promise<string>;
  load(args: readonly string[], input?: string, settings?: Settings): Promise<Ended>;
}

const onImport = (body: (site: Site & Import) => Promise<void>) =>
  onSite((site) =>
    body({
      ...site,
      async write(name, records) {
        const text = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
        const path = join(site.data, '..', name);
        await writeFile(path, `${text.join('\n')}\n`);
        return path;
      },
      load: (args, input = '', settings = {}) =>
        runCommand('import', { args, input, settings: { STEWARD_DATA: site.data, ...settings } }),
    }),
  );

const userId = (name: string) => `@${name}:localhost`;

const user = (name: string, fields: object = {}) => ({
  user_id: userId(name),
  displayname: `The ${name}`,
  avatar_url: null,
  created_ts: 1_700_000_000_123,
  admin: false,
  deactivated: false,
  ...fields,
});

const device = (name: string, deviceId: string, fields: object = {}) => ({
  user_id: userId(name),
  device_id: deviceId,
  display_name: `${deviceId} of ${name}`,
  last_seen_ts: 1_700_000_100_000,
  last_seen_ip: '192.0.2.1',
  last_seen_user_agent: 'browser',
  ...fields,
});

const ROOM = '!room:localhost';

const report = (id: number, fields: object) => ({
  id,
  event_id: '$event7',
  room_id: ROOM,
  user_id: userId('dave'),
  received_ts: 1_700_000_000_300,
  score: -50,
  reason: null,
  ...fields,
});

const room = (fields: object = {}) => ({
  room_id: ROOM,
  creator: userId('alice'),
  room_version: '10',
  created_ts: 1_700_000_000_123,
  public: true,
  name: 'The room',
  canonical_alias: '#room:localhost',
  ...fields,
});

/** The events of the room: those of alice, and the joins of bob and of a user of another server. */
const history = () => {
  const alice = userId('alice');
  const join = (id: string): [string, string, object, string] => [
    'm.room.member',
    id,
    { membership: 'join' },
    id,
  ];
  const happened: [type: string, sender: string, content: object, stateKey: string | null][] = [
    ['m.room.create', alice, { creator: alice, room_version: '10' }, ''],
    join(alice),
    ['m.room.power_levels', alice, { users: { [alice]: 100 } }, ''],
    ['m.room.join_rules', alice, { join_rule: 'public' }, ''],
    ['m.room.name', alice, { name: 'The room' }, ''],
    join(userId('bob')),
    join('@carol:elsewhere'),
    ['m.room.message', alice, { msgtype: 'm.text', body: 'Hello' }, null],
  ];
  return happened.map(([type, sender, content, stateKey], n) => ({
    event_id: `$event${n}`,
    room_id: ROOM,
    type,
    sender,
    state_key: stateKey,
    origin_server_ts: 1_700_000_000_200 + n,
    content,
    depth: n + 1,
    prev_events: n === 0 ? [] : [`$event${n - 1}`],
    auth_events: [],
    hashes: { sha256: 'hash' },
  }));
};

describe.concurrent('the import', () => {
  it(
    'loads users and devices, which the server then serves',
    onImport(async ({ load, start, write }) => {
      const hash = await (await createPasswords()).hash('imported', 'test');
      const users = await write('users.ndjson', [
        user('alice', { admin: true, password_hash: hash }),
        user('bob', {
          displayname: null,
          avatar_url: 'mxc://localhost/bob',
          user_type: 'bot',
          is_guest: false,
          locked: true,
          shadow_banned: true,
          last_seen_ts: 1_700_000_200_000,
          threepids: [{ medium: 'email', address: 'Bob@Example.org', added_at: 1, validated_at: 2 }],
          external_ids: [{ auth_provider: 'oidc', external_id: 'bob' }],
        }),
        user('carol', { deactivated: true, last_seen_ts: 1_700_000_050_000 }),
      ]);
      const devicesFile = await write('devices.ndjson', [
        device('alice', 'A1'),
        device('alice', 'A2', { display_name: null, last_seen_ts: null, last_seen_ip: null }),
        device('bob', 'B1'),
        device('carol', 'C1'),
        device('carol', 'C2', { last_seen_ts: 1 }),
      ]);
      const loaded = await load([users, devicesFile]);
      expect(loaded).toMatchObject({ code: 0, stdout: '' });
      expect(loaded.stderr).toContain(`${users}: 3 lines, 3 loaded, 0 already there, 0 bad`);
      expect(loaded.stderr).toContain(`${devicesFile}: 5 lines, 5 loaded, 0 already there, 0 bad`);

      const again = await load([users, devicesFile]);
      expect(again.code).toBe(0);
      expect(again.stderr).toContain('3 lines, 0 loaded, 3 already there, 0 bad');

      const server = await start();
      const login = await sendHttp<{ access_token: string }>(server.url, 'POST', '/_proto/client/v3/login', {
        body: {
          type: 'm.login.password',
          identifier: { type: 'm.id.user', user: 'alice' },
          password: 'imported',
        },
      });
      const get = (path: string) =>
        sendHttp(server.url, 'GET', `/_service/admin${path}`, { token: login.body.access_token });
      const list = await get('/v2/users?deactivated=true&locked=true');
      expect(list.body).toMatchObject({
        total: 3,
        users: [
          { name: userId('alice'), displayname: 'The alice', admin: 1, creation_ts: 1_700_000_000_123 },
          { name: userId('bob'), displayname: null, locked: true, shadow_banned: 1, user_type: 'bot' },
          { name: userId('carol'), deactivated: 1 },
        ],
      });
      expect((await get(`/v2/users/${userId('bob')}`)).body).toMatchObject({
        avatar_url: 'mxc://localhost/bob',
        last_seen_ts: 1_700_000_200_000,
        threepids: [{ medium: 'email', address: 'bob@example.org', added_at: 1, validated_at: 2 }],
        external_ids: [{ auth_provider: 'oidc', external_id: 'bob' }],
      });
      expect((await get('/v1/threepid/email/users/bob@example.org')).body).toEqual({
        user_id: userId('bob'),
      });
      expect((await get(`/v2/users/${userId('alice')}/devices/A1`)).body).toEqual({
        user_id: userId('alice'),
        device_id: 'A1',
        display_name: 'A1 of alice',
        last_seen_ts: 1_700_000_100_000,
        last_seen_ip: '192.0.2.1',
        last_seen_user_agent: 'browser',
      });
      expect((await get(`/v2/users/${userId('alice')}/devices/A2`)).body).toMatchObject({
        last_seen_ts: null,
      });
      // Bob was seen later than his devices, carol earlier.
      expect((await get(`/v2/users/${userId('carol')}`)).body).toMatchObject({
        last_seen_ts: 1_700_000_100_000,
      });

      const whileRunning = await load([users]);
      expect(whileRunning.code).toBe(1);
      expect(whileRunning.stderr).toMatch(/^import: .*using the directory.*\n$/);
      server.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
    }),
  );

  it(
    'loads rooms, in which users can then continue',
    onImport(async ({ load, start, write }) => {
      const hash = await (await createPasswords()).hash('imported', 'test');
      const files = [
        await write('users.ndjson', [user('alice', { admin: true, password_hash: hash }), user('bob')]),
        await write('rooms.ndjson', [room()]),
        await write('members.ndjson', [
          { room_id: ROOM, user_id: userId('bob'), membership: 'join', event_id: '$event5', ts: 1 },
        ]),
        await write('events.ndjson', history()),
        await write('media.ndjson', [
          { media_id: 'm1', user_id: userId('bob'), media_type: 'image/png', media_length: 7, created_ts: 1 },
        ]),
      ];
      const loaded = await load(files);
      expect(loaded).toMatchObject({ code: 0 });
      for (const [n, lines] of [2, 1, 1, 8, 1].entries()) {
        expect(loaded.stderr).toContain(
          `${files[n]}: ${lines} lines, ${lines} loaded, 0 already there, 0 bad`,
        );
      }
      expect((await load(files)).stderr).toContain('8 lines, 0 loaded, 8 already there, 0 bad');

      const server = await start();
      const login = await sendHttp<{ access_token: string }>(server.url, 'POST', '/_proto/client/v3/login', {
        body: {
          type: 'm.login.password',
          identifier: { type: 'm.id.user', user: 'alice' },
          password: 'imported',
        },
      });
      const token = login.body.access_token;
      const get = (path: string) => sendHttp(server.url, 'GET', path, { token });
      expect((await get('/_service/admin/v1/rooms')).body).toMatchObject({
        total_rooms: 1,
        rooms: [
          { room_id: ROOM, name: 'The room', joined_members: 3, joined_local_members: 2, state_events: 7 },
        ],
      });
      const members = `/_service/admin/v1/rooms/${ROOM}/members`;
      expect((await get(members)).body).toMatchObject({ total: 3 });
      const alias = `/_proto/client/v3/directory/room/${encodeURIComponent('#room:localhost')}`;
      expect((await get(alias)).body).toMatchObject({ room_id: ROOM });
      const send = `/_proto/client/v3/rooms/${ROOM}/send/m.room.message/1`;
      const body = { msgtype: 'm.text', body: 'And on' };
      expect(await sendHttp(server.url, 'PUT', send, { token, body })).toMatchObject({ status: 200 });
      const { body: page } = await get(`/_proto/client/v3/rooms/${ROOM}/messages?dir=b&limit=2`);
      expect(page).toMatchObject({ chunk: [{ content: body }, { content: { body: 'Hello' } }] });
    }),
  );

  it(
    'loads media of this server and of others, with the existing files',
    onImport(async ({ load, start, write }) => {
      const file = await write('picture', ['bytes']);
      const medium = (media_id: string, fields: object) => ({
        media_id,
        user_id: null,
        media_type: 'text/plain',
        media_length: 'bytes\n'.length,
        created_ts: 1,
        last_access_ts: null,
        quarantined_by: null,
        ...fields,
      });
      const ours = { user_id: userId('bob') };
      const theirs = { origin: 'elsewhere' };
      const media = await write('media.ndjson', [
        medium('ours', { ...ours, file }),
        medium('record', ours),
        medium('theirs', { ...theirs, file: 'picture' }),
        medium('kept', { ...theirs, file, quarantined_by: userId('alice') }),
        medium('missing', { ...theirs, file: 'nowhere' }),
        medium('short', { ...theirs, file, media_length: 7 }),
        medium('whose', { ...theirs, ...ours }),
        medium('nobody', {}),
        medium('folder', { origin: '../elsewhere' }),
        medium('early', { ...ours, created_ts: -1 }),
      ]);
      const loaded = await load([await write('users.ndjson', [user('bob')]), media]);
      expect(loaded.code).toBe(1);
      for (const [line, problem] of [
        [5, 'file is not there'],
        [6, 'file is not as long as media_length says'],
        [7, 'user_id is that of a medium of another server'],
        [8, 'user_id is not a user of localhost'],
        [9, 'origin is not the name of a server'],
        [10, 'created_ts is not a time'],
      ]) {
        expect(loaded.stderr).toContain(`${media}:${line}: ${problem}\n`);
      }
      expect(loaded.stderr).toContain('10 lines, 4 loaded, 0 already there, 6 bad');
      expect((await load([media])).stderr).toContain('10 lines, 0 loaded, 4 already there, 6 bad');

      const server = await start({ STEWARD_REGISTRATION_SHARED_SECRET: SECRET });
      const register = '/_service/admin/v1/register';
      const { nonce } = (await sendHttp<{ nonce: string }>(server.url, 'GET', register)).body;
      const who = { nonce, username: 'root', password: 'p', admin: true };
      const { body } = await sendHttp<{ access_token: string }>(server.url, 'POST', register, {
        body: { ...who, mac: registrationMac(SECRET, who) },
      });
      const token = body.access_token;
      const download = async (id: string) => {
        const path = `/_proto/client/v1/media/download/${id}`;
        const { status, text } = await sendHttp(server.url, 'GET', path, { token });
        return status === 200 ? text : status;
      };
      expect(await download('localhost/ours')).toBe('bytes\n');
      expect(await download('localhost/record')).toBe(404);
      expect(await download('elsewhere/theirs')).toBe('bytes\n');
      expect(await download('elsewhere/kept')).toBe(404);
      const bobs = `/_service/admin/v1/users/${userId('bob')}/media`;
      expect((await sendHttp(server.url, 'GET', bobs, { token })).body).toMatchObject({ total: 2 });
      const purge = `/_service/admin/v1/purge_media_cache?before_ts=${Date.now() + 60_000}`;
      expect((await sendHttp(server.url, 'POST', purge, { token })).body).toEqual({ deleted: 1 });
      expect(await download('elsewhere/theirs')).toBe(404);
      expect(await download('localhost/ours')).toBe('bytes\n');
    }),
  );

  it(
    'keeps changes that were made after an earlier import',
    onImport(async ({ load, start, write }) => {
      const users = await write('users.ndjson', [user('alice')]);
      await load([users]);
      const server = await start({ STEWARD_REGISTRATION_SHARED_SECRET: SECRET });
      const register = '/_service/admin/v1/register';
      const { nonce } = (await sendHttp<{ nonce: string }>(server.url, 'GET', register)).body;
      const who = { nonce, username: 'root', password: 'p', admin: true };
      const { body } = await sendHttp<{ access_token: string }>(server.url, 'POST', register, {
        body: { ...who, mac: registrationMac(SECRET, who) },
      });
      const token = body.access_token;
      const path = `/_service/admin/v2/users/${userId('alice')}`;
      await sendHttp(server.url, 'PUT', path, { token, body: { displayname: 'Changed' } });
      server.kill('SIGTERM');
      await server.ended;
      expect((await load([users])).stderr).toContain('1 already there');
      const restarted = await start();
      expect((await sendHttp(restarted.url, 'GET', path, { token })).body).toMatchObject({
        displayname: 'Changed',
      });
    }),
  );

  it(
    'reads standard input when the kind is given',
    onImport(async ({ load }) => {
      const loaded = await load(['--kind', 'users', '-'], `${JSON.stringify(user('alice'))}\n`);
      expect(loaded).toMatchObject({ code: 0 });
      expect(loaded.stderr).toContain('-: 1 lines, 1 loaded');
    }),
  );
});

describe.concurrent('a bad line', () => {
  const LINES = [
    user('alice'),
    '{"user_id":',
    '[]',
    user('bob', { created_ts: 'yesterday' }),
    user('', {}),
    { ...user('carol'), user_id: '@carol:elsewhere' },
    user('dave', { user_type: 'robot' }),
    user('eve', { avatar_url: 'https://example.org/eve' }),
    user('frank', { external_ids: [{ auth_provider: 'oidc', external_id: '1' }] }),
    user('grace', { external_ids: [{ auth_provider: 'oidc', external_id: '1' }] }),
    '',
    user('heidi'),
  ];

  it(
    'is named, and the others are loaded',
    onImport(async ({ load, write }) => {
      const users = await write('users.ndjson', LINES);
      const { code, stderr } = await load([users]);
      expect(code).toBe(1);
      const named = stderr.match(/^.*users\.ndjson:(\d+): .+$/gm)?.map((line) => Number(line.split(':')[1]));
      expect(named?.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 10]);
      expect(stderr).toContain(`${users}:4: `);
      expect(stderr).toMatch(/users\.ndjson:4: .*created_ts/);
      expect(stderr).toMatch(/users\.ndjson:6: user_id does not belong to localhost/);
      expect(stderr).toContain('12 lines, 3 loaded, 0 already there, 8 bad');
    }),
  );

  it(
    'is named when it has a field that does not exist, or a hash that no password matches',
    onImport(async ({ load, write }) => {
      const users = await write('users.ndjson', [
        user('alice', { amdin: true }),
        user('bob', { password_hash: '$2b$12$abcdefghijklmnopqrstuuFUOrBpz0hLpuqUuMPUMH.yLJpN1Y3qi' }),
        user('carol', { created_ts: -1 }),
        user('dave'),
      ]);
      const rooms = await write('rooms.ndjson', [
        room({ topic: null, join_rules: 'public', history_visibility: 'shared', guest_access: null }),
        room({ room_id: '!other:localhost', publik: true }),
      ]);
      const events = await write('events.ndjson', history());
      const reports = await write('reports.ndjson', [
        report(1, {}),
        report(2, { event_id: '$unknown' }),
        report(3, { room_id: '!other:localhost' }),
        report(4, { user_id: userId('erin') }),
        report(5, { score: 7 }),
      ]);
      const { code, stderr } = await load([users, rooms, events, reports]);
      expect(code).toBe(1);
      for (const problem of [
        'users.ndjson:1: there is no field amdin',
        'users.ndjson:2: password_hash is not an Argon2 hash',
        'users.ndjson:3: created_ts is not a time',
        'rooms.ndjson:2: there is no field publik',
        'reports.ndjson:2: there is no event $unknown',
        'reports.ndjson:3: there is no room !other:localhost',
        `reports.ndjson:4: there is no account ${userId('erin')}`,
        'reports.ndjson:5: score is not from -100 to 0',
      ]) {
        expect(stderr).toContain(`${problem}\n`);
      }
      expect(stderr).toContain('5 lines, 1 loaded, 0 already there, 4 bad');
      expect(stderr).not.toMatch(/steward\.|\$2b/);
    }),
  );

  it(
    'ends a strict import',
    onImport(async ({ load, write }) => {
      const users = await write('users.ndjson', LINES);
      const devicesFile = await write('devices.ndjson', [device('alice', 'A1')]);
      const { code, stderr } = await load(['--strict', users, devicesFile]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/users\.ndjson:2: /);
      expect(stderr).toContain('2 lines, 1 loaded, 0 already there, 1 bad');
      expect(stderr).not.toContain('devices.ndjson');
    }),
  );

  it(
    'is named when it is a device of an unknown user',
    onImport(async ({ data, load, write }) => {
      const users = await write('users.ndjson', [user('alice')]);
      const devicesFile = await write('devices.ndjson', [
        device('alice', 'A1'),
        device('nobody', 'N1'),
        device('alice', ''),
        device('alice', 'A2', { last_seen_ts: '…' }),
        device('\u001b[2J\u202ea', 'E1'),
      ]);
      // The directory, and the umask of whoever runs the command, let others read.
      await mkdir(data, { mode: 0o755 });
      const { code, stderr } = await load([users, devicesFile]);
      expect(code).toBe(1);
      expect(stderr).toContain(`devices.ndjson:2: there is no account ${userId('nobody')}`);
      expect(stderr).toMatch(/devices\.ndjson:3: device_id/);
      expect(stderr).toMatch(/devices\.ndjson:4: .*last_seen_ts/);
      expect(stderr).toContain(
        'devices.ndjson:5: user_id is not an id: it must be text without control characters',
      );
      expect(stderr).not.toContain('\u001b');
      expect(stderr).toContain('5 lines, 1 loaded, 0 already there, 4 bad');
      for (const name of await readdir(data, { recursive: true }))
        expect([name, (await stat(join(data, name))).mode & 0o077]).toEqual([name, 0]);

      const store = await openSqliteStore({ path: join(data, STORE_FILE) });
      expect(await (await store.collection(devices)).countDocuments({})).toBe(1);
      // A device without a session admits no client.
      expect(await (await store.collection(tokens)).countDocuments({})).toBe(0);
      await store.close();
    }),
  );
});

describe.concurrent('a bad room', () => {
  it(
    'is named, as are events of an unknown room',
    onImport(async ({ load, write }) => {
      const rooms = await write('rooms.ndjson', [
        room({ room_id: 'room' }),
        room({ creator: 'alice' }),
        room({ room_version: '' }),
        room({ canonical_alias: 'room' }),
        room(),
        room({ room_id: '!other:localhost' }),
      ]);
      const [create, ...others] = history();
      const events = await write('events.ndjson', [
        { ...create, event_id: 'event' },
        ...others.map((event) => ({ ...event, room_id: '!other:localhost' })),
      ]);
      const { code, stderr } = await load([rooms, events]);
      expect(code).toBe(1);
      for (const problem of [
        '1: room_id is not a room id',
        '2: creator is not a user id',
        '3: room_version is not a room version',
        '4: room is not a room alias',
        '6: #room:localhost stands for another room',
      ]) {
        expect(stderr).toContain(`rooms.ndjson:${problem}`);
      }
      expect(stderr).toContain('6 lines, 1 loaded, 0 already there, 5 bad');
      expect(stderr).toContain('events.ndjson:1: event_id is not valid');
      expect(stderr).toContain('events.ndjson:8: there is no room !other:localhost');
      expect(stderr).toContain('8 lines, 0 loaded, 0 already there, 8 bad');
    }),
  );
});

describe.concurrent('a refused import', () => {
  const refusal = ({ code, stderr }: Ended) => {
    expect(code).toBe(1);
    // On a busy machine it also says how far it is.
    expect(stderr).toMatch(/^(import: builds .+\n)*import: .+\n$/);
    return stderr;
  };

  it(
    'names the file that it cannot read',
    onImport(async ({ data, load }) => {
      const missing = join(data, 'users.ndjson');
      expect(refusal(await load([missing]))).toContain(missing);
    }),
  );

  it(
    'names a kind that does not exist',
    onImport(async ({ load, write }) => {
      const file = await write('rumours.ndjson', []);
      expect(refusal(await load([file]))).toContain(
        'there are no records of kind rumours; there are roles, users, devices, access_tokens,',
      );
    }),
  );

  it(
    'names what it lacks when others can share the store',
    onImport(async ({ load, write }) => {
      const users = await write('users.ndjson', [user('alice')]);
      expect(refusal(await load([users], '', { STEWARD_STORE: 'mongodb://127.0.0.1:1/steward' }))).toContain(
        'STEWARD_NATS_URL',
      );
    }),
  );

  it(
    'prints its usage without arguments, with all kinds of records',
    onImport(async ({ load }) => {
      const { code, stdout } = await load([]);
      expect(code).toBe(1);
      expect(stdout).toContain('steward import');
      for (const kind of KINDS.keys()) expect(stdout).toContain(kind);
    }),
  );
});
