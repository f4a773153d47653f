import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPostgresDatabase } from '@steward/migrate/testing';
import { expect, it } from 'vitest';
import { occupyPort, onSite, runCommand } from '../fixtures/processes.ts';
import { findPostgres } from './fixtures/find-postgres.ts';
import { ALICE, BOB, HASH, onMove, ROOM } from './fixtures/move.ts';

const { ferretdb, postgresUrl } = findPostgres();

type Row = Readonly<Record<string, string | number | null>>;

const MALLORY = '@mallory:localhost';
const ONE_TIME_KEY = { user_id: BOB, device_id: 'PHONE', algorithm: 'signed_curve25519', ts_added_ms: 1 };
const EVENT = { room_id: ROOM, sender: ALICE, outlier: 0, received_ts: 1, origin_server_ts: 1 };
const STORED = {
  ...{ type: 'm.room.message', sender: ALICE, content: {}, origin_server_ts: 1, depth: 1 },
  ...{ prev_events: [], auth_events: [] },
};
const ADDRESS = { medium: 'email', validated_at: 1, added_at: 1 };
const MEDIUM = { media_type: 'a/b', media_length: 1, created_ts: 1, user_id: BOB };

let ordering = 100;

/** The rows of an event whose stored form is `json`. */
function event(event_id: string, json: string | null, more: Row = {}): readonly (readonly [string, Row])[] {
  const row = { ...EVENT, event_id, type: 'm.room.message', stream_ordering: ++ordering, ...more };
  const text = { event_id, room_id: row.room_id, format_version: 3, internal_metadata: '{}', json };
  return [['events', row], ...(json === null ? [] : [['event_json', text] as const])];
}

const stored = (more: object) => JSON.stringify({ ...STORED, ...more });

/** What is wrong, the rows, and what the check and the copy say. */
const BAD: readonly (readonly [
  what: string,
  rows: readonly (readonly [table: string, row: Row])[],
  said: string,
])[] = [
  [
    'an account of another server',
    [],
    'users: @other:elsewhere: not carried: user_id does not belong to localhost',
  ],
  [
    'an id that is not one of a user',
    [['users', { name: 'mallory', creation_ts: 1 }]],
    'users: mallory: not carried: user_id is not a user id',
  ],
  [
    'an empty localpart',
    [['users', { name: '@:localhost', creation_ts: 1 }]],
    'users: @:localhost: not carried: user_id is not a user id',
  ],
  [
    'a localpart with control characters',
    [['users', { name: '@a\u001b[2J:localhost', creation_ts: 1 }]],
    'users: @a\\u{1b}[2J:localhost: not carried: user_id is not an id: it must be text without control characters',
  ],
  [
    'a password of another scheme',
    [
      [
        'users',
        { name: '@md5:localhost', creation_ts: 1, password_hash: 'e4d909c290d0fb1ca068ffaddf22cbd0' },
      ],
    ],
    'users: @md5:localhost: the password is not carried, because it is not a bcrypt hash with a cost of 4 to 15: an administrator sets a new one',
  ],
  [
    'a time that is none',
    [['users', { name: '@late:localhost', creation_ts: 'yesterday' }]],
    'users: @late:localhost: not carried: creation_ts is not a whole number',
  ],
  [
    'profile fields that are no object',
    [
      ['users', { name: '@fields:localhost', creation_ts: 1 }],
      ['profiles', { user_id: 'fields', full_user_id: '@fields:localhost', fields: '[1]' }],
    ],
    'users: @fields:localhost: the profile fields are not carried: fields is not a JSON object',
  ],
  [
    'an address of two accounts, in two spellings',
    [
      ['users', { name: '@one:localhost', creation_ts: 1 }],
      ['user_threepids', { ...ADDRESS, user_id: '@one:localhost', address: 'a@example.org' }],
      ['users', { name: '@two:localhost', creation_ts: 1 }],
      ['user_threepids', { ...ADDRESS, user_id: '@two:localhost', address: 'A@example.org' }],
      ['user_threepids', { ...ADDRESS, user_id: '@two:localhost', address: 'two@example.org' }],
    ],
    'users: @two:localhost: the address A@example.org is not carried: another record has the same threepids',
  ],
  [
    'a profile without an account',
    [['profiles', { user_id: 'mallory', displayname: 'Mallory' }]],
    `users: profiles ${MALLORY}: not carried: users has no row of this key`,
  ],
  [
    'a device without an account',
    [['devices', { user_id: MALLORY, device_id: 'D', hidden: 0 }]],
    `devices: ${MALLORY} D: not carried: there is no account ${MALLORY}`,
  ],
  [
    'a device id that paths cannot have',
    [['devices', { user_id: ALICE, device_id: '..', hidden: 0 }]],
    `devices: ${ALICE} ..: not carried: device_id must not be '.' or '..'`,
  ],
  [
    'two rows of one object of account data',
    [['account_data', { user_id: BOB, account_data_type: 'm.x', stream_id: 6, content: '{"a":3}' }]],
    `account_data: ${BOB} m.x: not carried: an earlier row is the same record, `,
  ],
  [
    'a token of a device that does not exist',
    [['access_tokens', { id: 77, user_id: ALICE, device_id: 'GONE', token: 'gone' }]],
    `access_tokens: id 77 of ${ALICE}: not carried: its device GONE does not exist`,
  ],
  [
    'device keys with broken JSON',
    [
      ['devices', { user_id: ALICE, device_id: 'KEYS', hidden: 0 }],
      ['e2e_device_keys_json', { user_id: ALICE, device_id: 'KEYS', ts_added_ms: 1, key_json: '{"a":' }],
    ],
    `devices: ${ALICE} KEYS: not carried: key_json is not JSON`,
  ],
  [
    'a one-time key with broken JSON',
    [['e2e_one_time_keys_json', { ...ONE_TIME_KEY, key_id: 'BAD', key_json: '{' }]],
    `e2e_one_time_keys_json: ${BOB} PHONE signed_curve25519:BAD: not carried: key_json is not JSON`,
  ],
  [
    'a one-time key of an account that does not exist',
    [['e2e_one_time_keys_json', { ...ONE_TIME_KEY, user_id: MALLORY, key_id: 'K', key_json: '{"key":"k"}' }]],
    `e2e_one_time_keys_json: ${MALLORY} PHONE signed_curve25519:K: not carried: there is no account ${MALLORY}`,
  ],
  [
    'cross-signing keys without a master key',
    [['e2e_cross_signing_keys', { user_id: BOB, keytype: 'self_signing', keydata: '{}', stream_id: 1 }]],
    `e2e_cross_signing_keys: ${BOB}: not carried: there is no master key`,
  ],
  [
    'a key backup whose data are no object',
    [['e2e_room_keys_versions', { user_id: BOB, version: 1, algorithm: 'a', auth_data: '"x"', deleted: 0 }]],
    `e2e_room_keys_versions: ${BOB} version 1: not carried: auth_data is not a JSON object`,
  ],
  [
    'a message to a device with broken JSON',
    [['device_inbox', { user_id: BOB, device_id: 'PHONE', stream_id: 5, message_json: 'null' }]],
    `device_inbox: stream_id 5 to ${BOB} PHONE: not carried: message_json is not a JSON object`,
  ],
  [
    'account data with broken JSON',
    [['account_data', { user_id: BOB, account_data_type: 'm.bad', stream_id: 7, content: '{"a"' }]],
    `account_data: ${BOB} m.bad: not carried: content is not JSON`,
  ],
  [
    'account data without an account',
    [['account_data', { user_id: MALLORY, account_data_type: 'm.x', stream_id: 8, content: '{}' }]],
    `account_data: account_data ${MALLORY}: not carried: there is no such account`,
  ],
  [
    'push rules with broken JSON',
    [
      [
        'push_rules',
        {
          id: 1,
          user_name: BOB,
          rule_id: 'global/room/!a:b',
          priority_class: 3,
          priority: 0,
          conditions: '[]',
          actions: '{}',
        },
      ],
    ],
    `account_data: ${BOB} m.push_rules: not carried: actions of global/room/!a:b is not a list`,
  ],
  [
    'a filter with broken JSON',
    [['user_filters', { user_id: 'bob', full_user_id: BOB, filter_id: 3, filter_json: '[]' }]],
    `user_filters: ${BOB} 3: not carried: filter_json is not a JSON object`,
  ],
  [
    'a pusher of no device',
    [['pushers', { id: 4, user_name: BOB, kind: 'http', app_id: 'a', pushkey: 'k', data: '{}', enabled: 1 }]],
    `pushers: id 4 of ${BOB}: not carried: it belongs to no device`,
  ],
  [
    'an alias that is none',
    [['room_aliases', { room_alias: 'alias', room_id: ROOM, creator: ALICE }]],
    'room_aliases: alias: not carried: alias is not a room alias',
  ],
  ['an event without its text', event('$textless', null), 'events: $textless: not carried: json is null'],
  [
    'an event with broken JSON',
    event('$broken', '{"type":'),
    'events: $broken: not carried: json is not JSON',
  ],
  [
    'an event of a room that does not exist',
    event('$roomless', stored({}), { room_id: '!none:localhost' }),
    'events: $roomless: not carried: there is no room !none:localhost',
  ],
  [
    'an event of a sender that is none',
    event('$senderless', stored({ sender: 'alice' })),
    'events: $senderless: not carried: sender is not valid',
  ],
  [
    'an event id that is none',
    event('eventid', stored({})),
    'events: eventid: not carried: event_id is not valid',
  ],
  [
    'a membership that is none',
    event('$member', stored({ type: 'm.room.member', state_key: BOB, content: { membership: 'here' } })),
    'events: $member: not carried: membership is not valid',
  ],
  [
    'an event that is too large',
    event('$large', stored({ content: { body: 'x'.repeat(1_000_000) } })),
    'events: $large: not carried: an event has at most',
  ],
  [
    'a receipt of an event that does not exist',
    [
      [
        'receipts_linearized',
        { stream_id: 1, room_id: ROOM, receipt_type: 'm.read', user_id: BOB, event_id: '$none', data: '{}' },
      ],
    ],
    `receipts_linearized: ${BOB} ${ROOM} m.read: not carried: there is no event $none`,
  ],
  [
    'a medium of another server among the own ones',
    [['local_media_repository', { ...MEDIUM, media_id: 'stray', user_id: '@eve:elsewhere' }]],
    'local_media_repository: stray: not carried: user_id is not a user of localhost',
  ],
  [
    'a medium without an uploader',
    [['local_media_repository', { ...MEDIUM, media_id: 'ownerless', user_id: null }]],
    'local_media_repository: ownerless: not carried: user_id is null',
  ],
  [
    'a media id that leads out of the folder',
    [['local_media_repository', { ...MEDIUM, media_id: 'a/../../x' }]],
    'local_media_repository: a/../../x: not carried: media_id is not a media id',
  ],
  [
    'a report whose JSON is broken',
    [
      [
        'event_reports',
        { id: 9, received_ts: 1, room_id: ROOM, event_id: '$message', user_id: BOB, content: '{' },
      ],
    ],
    'event_reports: id 9: not carried: content is not JSON',
  ],
  [
    'a registration token without a count',
    [['registration_tokens', { token: 'abc', completed: null }]],
    'registration_tokens: abc: not carried: completed is null',
  ],
];

/** The lines that name rows that are not carried. */
const refusedOf = (text: string) =>
  [...text.matchAll(/^(?:warning|migrate): (?<line>\w+: .*not carried.*)$/gm)].map((found) => found[1] ?? '');

it(
  'names each row that cannot be carried, the check the same ones as the copy, and carries the rest',
  onMove(async ({ copy, data, database, yaml, exported }) => {
    const old = new DatabaseSync(database);
    for (const [, rows] of BAD)
      for (const [table, row] of rows)
        old
          .prepare(
            `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
              .map(() => '?')
              .join(', ')})`,
          )
          .run(...Object.values(row));
    old.prepare('UPDATE users SET password_hash = ? WHERE name = ?').run(HASH, ALICE);
    old.close();
    const checked = await runCommand('migrate', {
      args: ['check', '--from', yaml],
      settings: { STEWARD_DATA: data },
    });
    const copied = await copy();
    const said = refusedOf(copied.stderr);
    for (const [what, , line] of BAD)
      expect(
        said.some((each) => each.startsWith(line)),
        `${what}\n${said.join('\n')}`,
      ).toBe(true);
    const consequences = said.filter((each) => !BAD.some(([, , line]) => each.startsWith(line)));
    expect(consequences).toEqual([]);
    expect(refusedOf(checked.stdout).toSorted()).toEqual(said.toSorted());
    expect(copied.code).toBe(3);
    expect(checked.code).toBe(3);
    const whole = said.filter((line) => line.includes(': not carried: '));
    expect(said.length - whole.length).toBe(3);
    expect(checked.stdout).toContain(`${whole.length} rows cannot be carried`);
    const refused = [...copied.stdout.matchAll(/, (?<n>\d+) refused$/gm)].map(({ groups }) =>
      Number(groups?.n),
    );
    expect(refused.reduce((sum, n) => sum + n, 0)).toBe(whole.length);
    const { 'users.ndjson': users, 'events.ndjson': events } = await exported(data);
    expect(users).toContain(`"${ALICE}"`);
    const carried = new Map(
      users?.split('\n').flatMap((line) => {
        const user = line === '' ? undefined : JSON.parse(line);
        return user ? [[user.user_id, user]] : [];
      }),
    );
    expect(carried.get('@md5:localhost')).not.toHaveProperty('password');
    expect(carried.get('@two:localhost')?.threepids).toEqual([
      expect.objectContaining({ address: 'two@example.org' }),
    ]);
    expect(events?.trim().split('\n')).toHaveLength(4);
  }),
);

/** A file or folder of media, made unusable, and how the loss is named. */
const FILES: readonly (readonly [what: string, spoil: (path: string) => void, said: string])[] = [
  ['missing', (path) => rmSync(path), 'is missing'],
  [
    'a folder',
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    'is not a file',
  ],
  ['cut off', (path) => writeFileSync(path, 'byt'), 'has 3 bytes, and not 5'],
  [
    'behind a file',
    (path) => {
      rmSync(join(path, '..'), { recursive: true });
      writeFileSync(join(path, '..'), '');
    },
    'cannot be read (ENOTDIR)',
  ],
  // The owner of the system reads it all the same.
  ...(process.getuid?.() === 0
    ? []
    : [['forbidden', (path: string) => chmodSync(path, 0), 'cannot be read (EACCES)'] as const]),
];

it.each(FILES)('lists a medium whose file is %s, and says that it is not served', (_, spoil, said) =>
  onMove(async ({ copy, yaml }) => {
    spoil(join(yaml, '../media_store/local_content/aa/bb/cc'));
    const { stdout, stderr } = await copy();
    expect(stderr).toContain(
      `local_media_repository: aabbcc: its file local_content/aa/bb/cc ${said}: it is listed and not served`,
    );
    expect(stdout).toMatch(/^media of local_media_repository: 1 read, 1 loaded, .* 1 in part, 0 refused/m);
  })(),
);

/** A message of PostgreSQL that refuses a connection. */
function refusing(code: string, message: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(Buffer.byteLength(fields) + 4, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
}

/** What a server says to who connects, the parameters, and what the check says. */
const SERVERS: readonly (readonly [what: string, says: Buffer | 'nothing', args: object, said: string])[] = [
  [
    'the wrong password',
    refusing('28P01', 'password authentication failed for user "moving"'),
    { password: 'wrong' },
    'cannot be read: password authentication failed for user "moving".',
  ],
  [
    'a database that does not exist',
    refusing('3D000', 'database "synapse" does not exist'),
    {},
    'cannot be read: database "synapse" does not exist.',
  ],
  [
    'the port of another program',
    Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
    {},
    'cannot be read: Connection terminated unexpectedly.',
  ],
  ['a server that does not answer', 'nothing', { connect_timeout: 1 }, 'cannot be read: it does not answer.'],
  ['a port that is none', 'nothing', { port: 'abc' }, 'The port abc of the database is not a number from 1'],
  [
    'a time that is none',
    'nothing',
    { connect_timeout: 'soon' },
    'The connect_timeout soon of the database is not a number of seconds.',
  ],
];

/** A check of a database of PostgreSQL. */
async function checkPostgres(folder: string, args: object) {
  const yaml = join(folder, 'postgres.yaml');
  const database = { name: 'psycopg2', args: { user: 'moving', dbname: 'synapse', ...args } };
  writeFileSync(yaml, JSON.stringify({ server_name: 'localhost', database, media_store_path: '.' }));
  const settings = { STEWARD_DATA: join(folder, 'data') } as const;
  return runCommand('migrate', { args: ['check', '--from', yaml], settings });
}

it.each(SERVERS)('says in one line why a database cannot be read: %s', (_, says, args, said) =>
  onSite(async ({ data }) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => says !== 'nothing' && socket.end(says));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stdout, stderr } = await checkPostgres(join(data, '..'), {
      ...{ host: '127.0.0.1', port },
      ...args,
    });
    server.close();
    expect(stderr).toMatch(/^migrate: .*\n$/);
    expect(stderr).toContain(said);
    expect([code, stdout]).toEqual([1, '']);
  })(),
);

it(
  'says in one line why a database cannot be read: a server that is not there',
  onSite(async ({ data }) => {
    const { port, release } = await occupyPort();
    await release();
    const { code, stderr } = await checkPostgres(join(data, '..'), { host: '127.0.0.1', port });
    expect(stderr).toBe(
      `migrate: The database at 127.0.0.1:${port}, database synapse cannot be read: connect ECONNREFUSED 127.0.0.1:${port}.\n`,
    );
    expect(code).toBe(1);
  }),
);

it.skipIf(postgresUrl === undefined)(
  `says in one line that a database is one of another program, and that a role does not exist: ${ferretdb.title}`,
  onSite(async ({ data }) => {
    const { owner, drop } = await createPostgresDatabase(postgresUrl ?? '');
    try {
      const other = await checkPostgres(join(data, '..'), owner);
      expect(other.stderr).toMatch(/^migrate: The database is not one of the reference homeserver: .*\n$/);
      const user = { ...owner, user: 'not_there' };
      const unknown = await checkPostgres(join(data, '..'), user);
      expect(unknown.stderr).toMatch(/^migrate: .* cannot be read: role "not_there" does not exist\.\n$/);
      expect([other.code, unknown.code]).toEqual([1, 1]);
    } finally {
      await drop();
    }
  }),
);

it(
  'refuses a copy without the folder of media, before it loads anything',
  onMove(async ({ copy, yaml }) => {
    rmSync(join(yaml, '../media_store'), { recursive: true });
    const { code, stderr, stdout } = await copy();
    expect(stderr).toMatch(/^migrate: The folder of media .*media_store does not exist/);
    expect([code, stdout]).toEqual([1, '']);
  }),
);
