import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { runCommand } from '../fixtures/processes.ts';
import { ALICE, BOB, CHANGES, onMove, ROOM } from './fixtures/move.ts';

// biome-ignore lint/suspicious/noExplicitAny: any answer.
type Answer = any;

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
      INSERT INTO state_groups (id, room_id) VALUES (1, '${ROOM}'), (2, '${ROOM}'), (3, '${ROOM}');
      INSERT INTO state_group_edges (state_group, prev_state_group) VALUES (2, 1), (3, 2);
      INSERT INTO state_groups_state (state_group, type, state_key, event_id)
        VALUES (1, 'm.room.create', '', '$create'), (2, 'm.room.member', '${ALICE}', '$join0'), (3, 'm.room.member', '${BOB}', '$join1');
      INSERT INTO event_to_state_groups (event_id, state_group) VALUES ('$create', 1), ('$join0', 2), ('$join1', 3), ('$message', 2);
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
      'users: @other:elsewhere: not carried: user_id does not belong to localhost',
      'local_media_repository: aabbcc: its file local_content/aa/bb/cc has 5 bytes, and not 6: it is listed and not served',
      'surprise: 1 rows are not carried: this release does not know the table.',
    ]);
    expect(check.carried).toContainEqual({ kind: 'events', table: 'events', rows: 4 });
    expect(check.carried).toContainEqual({ kind: 'events', table: 'event_to_state_groups', rows: 1 });
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
