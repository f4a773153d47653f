import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createReferenceDatabase, type ReferenceDatabase } from '@steward/migrate/testing';
import { expect, it } from 'vitest';
import { onSite, runCommand, type Site } from '../fixtures/processes.ts';

const ALICE = '@alice:localhost';
const BOB = '@bob:localhost';
const ROOM = '!room:localhost';

/** A hash of bcrypt. */
const HASH = '$2b$04$W4E/9CbkPukYhmQK.U6s5.Y4Y/xqMNmJhZv7phnaqpT2yFffOiU8a';

// biome-ignore lint/suspicious/noExplicitAny: any answer.
type Answer = any;

/** An old homeserver beside a data directory, and the command that copies it. */
interface Move extends Site {
  readonly yaml: string;
  readonly database: string;
  copy(data?: string, killWhen?: () => boolean): ReturnType<typeof runCommand>;
  /** The records of an export, file by file. */
  exported(data: string): Promise<Readonly<Record<string, string>>>;
}

const onMove = (body: (move: Move) => Promise<void>) =>
  onSite(async (site) => {
    const folder = join(site.data, '..', 'old');
    mkdirSync(join(folder, 'media_store/local_content/aa/bb'), { recursive: true });
    const yaml = join(folder, 'homeserver.yaml');
    writeFileSync(
      yaml,
      'server_name: localhost\ndatabase: {name: sqlite3, args: {database: homeserver.db}}\nmedia_store_path: media_store\n',
    );
    writeFileSync(join(folder, 'media_store/local_content/aa/bb/cc'), 'bytes');
    const database = join(folder, 'homeserver.db');
    const old = createReferenceDatabase(database);
    fill(old);
    old.close();
    let exports = 0;
    await body({
      ...site,
      ...{ yaml, database },
      copy: (data = site.data, killWhen) =>
        runCommand('migrate', {
          args: ['copy', '--from', yaml],
          settings: { STEWARD_DATA: data },
          ...(killWhen ? { killWhen } : {}),
        }),
      async exported(data) {
        const to = `${data}-export-${++exports}`;
        const { code, stderr } = await runCommand('export', {
          args: ['--to', to],
          settings: { STEWARD_DATA: data },
        });
        expect(code, stderr).toBe(0);
        const files = (await readdir(to)).filter((name) => name.endsWith('.ndjson'));
        const texts = files
          .sort()
          .map(async (name) => [name, await readFile(join(to, name), 'utf8')] as const);
        return Object.fromEntries(await Promise.all(texts));
      },
    });
  });

function fill(old: ReferenceDatabase): void {
  for (const [index, name] of [ALICE, BOB].entries()) {
    const device = { user_id: name, device_id: 'PHONE' };
    old.insert('users', {
      name,
      creation_ts: 1_700_000_000,
      password_hash: HASH,
      admin: index === 0 ? 1 : 0,
    });
    old.insert('profiles', { user_id: name.slice(1, name.indexOf(':')), displayname: `The ${name}` });
    old.insert('devices', { ...device, display_name: 'Phone', last_seen: 1_700_000_000_000, hidden: 0 });
    old.insert('access_tokens', {
      ...device,
      id: index,
      token: `token-of-${name}`,
      last_validated: 1_700_000_000_000,
    });
    old.insert('e2e_device_keys_json', { ...device, ts_added_ms: 1, key_json: '{"keys":{}}' });
    for (const key_id of ['A', 'B'])
      old.insert('e2e_one_time_keys_json', {
        ...device,
        algorithm: 'signed_curve25519',
        key_id,
        ts_added_ms: 1,
        key_json: '{"key":"k"}',
      });
    old.insert('account_data', {
      user_id: name,
      account_data_type: 'm.x',
      stream_id: 3 + index,
      content: '{"a":1}',
    });
  }
  old.insert('users', { name: '@other:elsewhere', creation_ts: 1 });
  old.insert('rooms', { room_id: ROOM, is_public: 1, creator: ALICE, room_version: '10' });
  const event = { room_id: ROOM, sender: ALICE };
  old.insertEvent({
    ...event,
    event_id: '$create',
    type: 'm.room.create',
    state_key: '',
    content: { creator: ALICE, room_version: '10' },
  });
  for (const [index, user] of [ALICE, BOB].entries())
    old.insertEvent({
      ...event,
      event_id: `$join${index}`,
      sender: user,
      type: 'm.room.member',
      state_key: user,
      content: { membership: 'join' },
    });
  old.insertEvent({
    ...event,
    event_id: '$message',
    type: 'm.room.message',
    content: { msgtype: 'm.text', body: 'hello' },
  });
  old.insert('blocked_rooms', { room_id: ROOM, user_id: ALICE });
  old.insert('room_aliases', { room_alias: '#old:localhost', room_id: ROOM, creator: ALICE });
  old.insert('event_reports', {
    id: 7,
    received_ts: 1_700_000_000_000,
    room_id: ROOM,
    event_id: '$message',
    user_id: BOB,
    reason: 'rude',
    content: '{"score":-100}',
  });
  old.insert('local_media_repository', {
    media_id: 'aabbcc',
    media_type: 'text/plain',
    media_length: 5,
    created_ts: 1,
    user_id: ALICE,
    upload_name: 'a.txt',
  });
}

/** What happens on the old homeserver between two copies. */
const CHANGES = `
  DELETE FROM e2e_one_time_keys_json WHERE user_id = '${ALICE}' AND key_id = 'A';
  DELETE FROM access_tokens WHERE user_id = '${BOB}';
  DELETE FROM blocked_rooms;
  UPDATE users SET password_hash = '${HASH.replace('Y4Y', 'Y4Z')}', locked = 1 WHERE name = '${BOB}';
  UPDATE rooms SET is_public = 0;
  UPDATE room_aliases SET room_alias = '#new:localhost';
  UPDATE account_data SET content = '{"a":2}', stream_id = 9 WHERE user_id = '${ALICE}';
  UPDATE local_media_repository SET quarantined_by = '${ALICE}', last_access_ts = 5;
  INSERT INTO events SELECT topological_ordering, '$later', type, room_id, content, unrecognized_keys, processed, outlier, depth, origin_server_ts, received_ts, sender, contains_url, instance_name, 9, state_key, rejection_reason FROM events WHERE event_id = '$message';
  INSERT INTO event_json SELECT '$later', room_id, internal_metadata, json, format_version FROM event_json WHERE event_id = '$message';
`;

it(
  'copies an old homeserver, whose users go on with their tokens',
  onMove(async ({ copy, database, start }) => {
    const before = readFileSync(database);
    const { code, stderr, stdout } = await copy();
    expect(stderr).toContain('users: @other:elsewhere: not carried: user_id does not belong to localhost');
    expect(stdout).toMatch(/^events of events: 4 read, 4 loaded/m);
    expect(code).toBe(3);
    expect(readFileSync(database).equals(before)).toBe(true);

    const { url } = await start();
    const get = async (path: string, user = ALICE) => {
      const headers = { authorization: `Bearer token-of-${user}` };
      return (await (await fetch(`${url}${path}`, { headers })).json()) as Answer;
    };
    expect(await get('/_matrix/client/v3/account/whoami', BOB)).toMatchObject({
      user_id: BOB,
      device_id: 'PHONE',
    });
    expect(await get(`/_synapse/admin/v1/rooms/${ROOM}`)).toMatchObject({ joined_members: 2, public: true });
    expect(await get(`/_synapse/admin/v1/rooms/${ROOM}/block`)).toEqual({ block: true, user_id: ALICE });
    expect(await get('/_synapse/admin/v1/event_reports/7')).toMatchObject({
      event_id: '$message',
      score: -100,
      sender: ALICE,
    });
    const { rooms, device_one_time_keys_count } = await get('/_matrix/client/v3/sync?timeout=0', BOB);
    expect(rooms.join[ROOM].timeline.events.at(-1)).toMatchObject({ event_id: '$message' });
    expect(device_one_time_keys_count).toMatchObject({ signed_curve25519: 2 });
  }),
);

it(
  'brings what has changed with a later copy, as if it were the first, and nothing with one more',
  onMove(async ({ copy, data, database, exported }) => {
    await copy();
    const old = new DatabaseSync(database);
    old.exec(CHANGES);
    old.close();
    await copy();
    const { stdout } = await copy();
    expect(stdout.match(/[1-9]\d* (?:loaded|removed)/g)).toBeNull();
    const anew = `${data}-anew`;
    await copy(anew);
    const first = await exported(anew);
    expect(Object.keys(first).length).toBeGreaterThan(10);
    expect(await exported(data)).toEqual(first);
  }),
);

/** Rows that the copy refuses in place of ones that it has carried. */
const BROKEN = `
  UPDATE account_data SET content = '{' WHERE user_id = '${ALICE}';
  UPDATE users SET user_type = 'robot' WHERE name = '${BOB}';
`;

it(
  'keeps what was carried of rows that are refused later, until they can be carried again',
  onMove(async ({ copy, data, database, exported }) => {
    await copy();
    const before = await exported(data);
    const run = (sql: string) => {
      const old = new DatabaseSync(database);
      old.exec(sql);
      old.close();
    };
    run(BROKEN);
    const { stdout, stderr } = await copy();
    expect(stderr).toContain(`account_data: ${ALICE} m.x: not carried: content is not JSON`);
    expect(stderr).toContain(`users: ${BOB}: not carried: user_type`);
    expect(stdout).toMatch(/^account_data of account_data: .* 0 removed, 0 in part, 1 refused/m);
    const after = await exported(data);
    for (const file of ['account_data.ndjson', 'users.ndjson']) expect(after[file]).toBe(before[file]);
    run(`
      UPDATE account_data SET content = '{"b":1}' WHERE user_id = '${ALICE}';
      UPDATE users SET user_type = NULL, locked = 1 WHERE name = '${BOB}';
    `);
    await copy();
    const { 'account_data.ndjson': kept, 'users.ndjson': users } = await exported(data);
    expect(kept).toContain('{\\"b\\":1}');
    expect(users).toContain('"locked":true');
  }),
);

it(
  'ends in the same state after copies that were killed',
  onMove(async ({ copy, data, database, exported }) => {
    await copy();
    const old = new DatabaseSync(database);
    old.exec(CHANGES);
    old.close();
    for (const noted of [1, 6, 12]) {
      const ledger = new DatabaseSync(join(data, 'migration.sqlite'), { readOnly: true });
      const { run } = ledger.prepare('SELECT MAX(run) AS run FROM runs').get() ?? {};
      const count = ledger.prepare('SELECT count(*) AS n FROM entries WHERE run > ?');
      const { signal } = await copy(data, () => Number(count.get(Number(run))?.n) >= noted);
      expect(signal).toBe('SIGKILL');
      ledger.close();
    }
    const { code } = await copy();
    expect(code).toBe(3);
    const anew = `${data}-anew`;
    await copy(anew);
    expect(await exported(data)).toEqual(await exported(anew));
  }),
);

it(
  'checks what would be carried, and what stands in the way',
  onMove(async ({ data, database, yaml }) => {
    const old = new DatabaseSync(database);
    old.exec(`
      INSERT INTO background_updates (update_name) VALUES ('one');
      UPDATE users SET user_type = 'robot' WHERE name = '${BOB}';
      UPDATE local_media_repository SET media_length = 6;
      CREATE TABLE surprise (a);
      INSERT INTO surprise VALUES (1);
    `);
    old.close();
    const settings = { STEWARD_DATA: data, STEWARD_SERVER_NAME: 'example.org' };
    const { code, stdout } = await runCommand('migrate', {
      args: ['check', '--json', '--from', yaml],
      settings,
    });
    expect(code).toBe(2);
    const check = JSON.parse(stdout);
    expect(check).toMatchObject({ server_name: 'localhost', schema_version: 94, running: false });
    expect(check.errors).toEqual([
      'STEWARD_SERVER_NAME is example.org; it must be localhost.',
      'Accounts have the types robot: name them in accounts.user_types.',
    ]);
    expect(check.warnings).toEqual([
      expect.stringMatching(/^background_updates: 1 rows/),
      'local_media_repository: aabbcc: its file local_content/aa/bb/cc has 5 bytes, and not 6: it is listed and not served',
      'surprise: 1 rows are not carried: this release does not know the table.',
    ]);
    expect(check.carried).toContainEqual({ kind: 'events', table: 'events', rows: 4 });
    expect(check.settings).toContain('user_types:\n    - robot');
    expect(existsSync(data)).toBe(false);
  }),
);

it.each([
  ['--from', []],
  ['The old homeserver is localhost, but STEWARD_SERVER_NAME is example.org', ['copy', '--from']],
])('refuses a move: %s', (problem, args) =>
  onMove(async ({ data, yaml }) => {
    const settings = { STEWARD_DATA: data, STEWARD_SERVER_NAME: 'example.org' };
    const ended = await runCommand('migrate', {
      args: args.length > 0 ? [...args, yaml] : ['copy'],
      settings,
    });
    expect(ended.stderr).toContain(problem);
    expect(ended.code).toBe(1);
  })(),
);
