import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Found, Positions } from '../part.ts';
import { createReferenceDatabase, type ReferenceDatabase } from '../testing.ts';
import { openReference } from './open-reference.ts';
import { readSettings } from './settings.ts';

/** A hash of bcrypt. */
const HASH = `$2b$12$${'h'.repeat(53)}`;

/** The time of the copies. */
const NOW = 1_800_000_000_000;

const ALICE = '@alice:test';
const ROOM = '!room:test';

/** Fills a database, and reads a kind of records from it. */
async function readKind(
  kind: string,
  fill: (database: ReferenceDatabase) => void,
  {
    pepper,
    storesPasswords = true,
    more = '',
    seen,
  }: {
    readonly pepper?: string;
    readonly storesPasswords?: boolean;
    readonly more?: string;
    readonly seen?: Positions;
  } = {},
): Promise<readonly Found[]> {
  const { settings, path } = setUp(more);
  const database = createReferenceDatabase(path);
  fill(database);
  database.close();
  const before = readFileSync(path);
  const old = await openReference(settings, { pepper, storesPasswords, now: NOW, copy: `${path}-copy` });
  const found: Found[] = [];
  for (const part of old.parts.filter((each) => each.kind === kind)) {
    await part.count();
    for await (const each of part.read(seen)) found.push(each);
  }
  await old.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  return found;
}

function setUp(more = '') {
  const folder = mkdtempSync(join(tmpdir(), 'reference-'));
  const path = join(folder, 'homeserver.db');
  const yaml = join(folder, 'homeserver.yaml');
  writeFileSync(
    yaml,
    `server_name: test\ndatabase: {name: sqlite3, args: {database: homeserver.db}}\nmedia_store_path: ${folder}\n${more}`,
  );
  return { folder, path, settings: readSettings([yaml]) };
}

const records = (found: readonly Found[]) =>
  found.map((each) => ('record' in each ? each.record : `${each.key}: ${each.problem}`));

it('makes one record of an account and of all that other tables have of it', async () => {
  const found = await readKind(
    'users',
    (database) => {
      database.insert('users', {
        name: ALICE,
        password_hash: HASH,
        creation_ts: 1_700_000_000,
        admin: 1,
      });
      database.insert('profiles', {
        user_id: 'alice',
        displayname: 'Alice',
        avatar_url: 'http://no',
        fields: '{"a":[1]}',
      });
      database.insert('ratelimit_override', { user_id: ALICE, messages_per_second: 3, burst_count: 9 });
      database.insert('user_threepids', {
        user_id: ALICE,
        medium: 'email',
        address: 'a@b',
        validated_at: 1,
        added_at: 2,
      });
      database.insert('e2e_room_keys_versions', { user_id: ALICE, version: 7, deleted: 1 });
      database.insert('user_threepids', {
        user_id: '@nobody:test',
        medium: 'email',
        address: 'n@b',
        validated_at: 1,
        added_at: 2,
      });
      database.insert('users', {
        name: '@b:test',
        creation_ts: 1,
        approved: 0,
        password_hash: 'x',
        suspended: 1,
      });
      database.insert('users_pending_deactivation', { user_id: '@b:test' });
      database.insert('users', { name: '@notices:test', creation_ts: 1 });
    },
    { pepper: 'old', more: 'server_notices: {system_mxid_localpart: notices}' },
  );
  expect(found).toMatchObject([
    {
      key: ALICE,
      losses: ['the avatar is not carried, because it is not a content URI'],
      record: {
        user_id: ALICE,
        displayname: 'Alice',
        avatar_url: null,
        created_ts: 1_700_000_000_000,
        admin: true,
        awaits_approval: false,
        password: { scheme: 'bcrypt', hash: HASH, pepper: 'old' },
        profile_fields: [{ name: 'a', value: '[1]' }],
        rate_limit: { messages_per_second: 3, burst_count: 9 },
        threepids: [{ medium: 'email', address: 'a@b', validated_at: 1, added_at: 2 }],
        key_backup_version: 7,
      },
    },
    { record: { user_id: '@b:test', deactivated: true, suspended: true, awaits_approval: true } },
    { key: 'user_threepids @nobody:test', problem: 'users has no row of this key' },
    { record: { user_id: '@notices:test', acts_for_server: true } },
  ]);
  expect(records(found)[1]).not.toHaveProperty('password');
});

it('carries accounts without their passwords to a server that stores none, and says so', async () => {
  const fill = (database: ReferenceDatabase) =>
    database.insert('users', { name: '@alice:test', creation_ts: 1, password_hash: HASH });
  const [found] = await readKind('users', fill, { storesPasswords: false });
  expect(found).toMatchObject({
    record: expect.not.objectContaining({ password: expect.anything() }),
    losses: [expect.stringContaining('passwords.localdb_enabled is off')],
  });
});

it('carries tokens as digests, and of refresh tokens those that were not used', async () => {
  const fill = (database: ReferenceDatabase) => {
    database.insert('devices', { user_id: ALICE, device_id: 'D' });
    database.insert('devices', { user_id: ALICE, device_id: 'key', hidden: 1 });
    database.insert('access_tokens', {
      id: 1,
      user_id: ALICE,
      device_id: 'D',
      token: 'abc',
      refresh_token_id: 2,
    });
    database.insert('access_tokens', { id: 2, user_id: ALICE, token: 'b', puppets_user_id: '@b:test' });
    database.insert('access_tokens', { id: 4, user_id: ALICE, token: 'ended', valid_until_ms: NOW });
    database.insert('refresh_tokens', { id: 3, user_id: ALICE, token: 'ended', expiry_ts: NOW });
    database.insert('access_tokens', { id: 3, user_id: ALICE, token: 'c', device_id: 'gone' });
    database.insert('refresh_tokens', {
      id: 1,
      user_id: ALICE,
      device_id: 'D',
      token: 'used',
      next_token_id: 2,
    });
    database.insert('refresh_tokens', { id: 2, user_id: ALICE, device_id: 'D', token: 'r' });
  };
  // SHA-256 of "abc" (FIPS 180-2), in URL-safe base64.
  const digest = 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0';
  expect(records(await readKind('access_tokens', fill))).toMatchObject([
    { digest, user_id: ALICE, owner: ALICE, device_id: 'D', login: 1, valid_until_ms: null },
    { user_id: '@b:test', owner: ALICE, device_id: null },
    'id 3 of @alice:test: its device gone does not exist',
  ]);
  expect(records(await readKind('refresh_tokens', fill))).toMatchObject([{ device_id: 'D', access: digest }]);
  expect(await readKind('devices', fill)).toHaveLength(1);
});

it('carries keys once: what is left of one-time keys, the latest cross-signing keys, and no deleted backup', async () => {
  const fill = (database: ReferenceDatabase) => {
    const device = { user_id: ALICE, device_id: 'D' };
    database.insert('devices', device);
    database.insert('e2e_device_keys_json', { ...device, key_json: '{"b":1,"a":2,"unsigned":{}}' });
    database.insert('e2e_fallback_keys_json', {
      ...device,
      algorithm: 's',
      key_id: 'F',
      key_json: '{"key":"k"}',
      used: 1,
    });
    database.insert('e2e_one_time_keys_json', {
      ...device,
      algorithm: 's',
      key_id: 'A',
      ts_added_ms: 5,
      key_json: '{"b":1,"a":2}',
    });
    database.insert('e2e_one_time_keys_json', {
      ...device,
      algorithm: 's',
      key_id: 'B',
      ts_added_ms: 5,
      key_json: '{',
    });
    for (const [stream_id, key] of [
      [1, 'old'],
      [2, 'new'],
    ] as const)
      database.insert('e2e_cross_signing_keys', {
        user_id: ALICE,
        keytype: 'master',
        stream_id,
        keydata: `{"keys":{"ed25519:${key}":"${key}"}}`,
      });
    database.insert('e2e_cross_signing_signatures', {
      user_id: ALICE,
      key_id: 'ed25519:D',
      target_user_id: ALICE,
      target_device_id: 'new',
      signature: 's',
    });
    database.insert('e2e_cross_signing_signatures', {
      user_id: ALICE,
      key_id: 'ed25519:self',
      target_user_id: ALICE,
      target_device_id: 'D',
      signature: 'd',
    });
    database.insert('e2e_cross_signing_signatures', {
      user_id: ALICE,
      key_id: 'ed25519:u',
      target_user_id: '@b:test',
      target_device_id: 'm',
      signature: 'o',
    });
    database.insert('e2e_room_keys_versions', {
      user_id: ALICE,
      version: 1,
      algorithm: 'a',
      auth_data: '{}',
      deleted: 1,
    });
    database.insert('e2e_room_keys_versions', {
      user_id: ALICE,
      version: 2,
      algorithm: 'a',
      auth_data: '{}',
      deleted: 0,
      etag: 4,
    });
    for (const version of [1, 2])
      database.insert('e2e_room_keys', {
        user_id: ALICE,
        room_id: ROOM,
        session_id: 's',
        version,
        session_data: '{}',
        is_verified: 1,
      });
  };
  const [device] = records(await readKind('devices', fill));
  expect(device).toMatchObject({
    device_keys: '{"a":2,"b":1}',
    cross_signatures: '{"ed25519:self":"d"}',
    fallback_keys: [{ name: 's:F', key: '{"key":"k"}' }],
    used_fallback_keys: ['s:F'],
  });
  expect(records(await readKind('one_time_keys', fill))).toMatchObject([
    { name: 's:A', key: '{"a":2,"b":1}', key_ring: (device as { key_ring: string }).key_ring },
    `${ALICE} D s:B: key_json is not JSON`,
  ]);
  expect(records(await readKind('cross_signing_keys', fill))).toMatchObject([
    { master: '{"keys":{"ed25519:new":"new"}}', self_signing: null, master_signatures: '{"ed25519:D":"s"}' },
  ]);
  expect(records(await readKind('key_signatures', fill))).toMatchObject([
    { users: JSON.stringify([ALICE, '@b:test']), master_key: 'm', signatures: '{"ed25519:u":"o"}' },
  ]);
  expect(records(await readKind('key_backups', fill))).toMatchObject([{ version: 2, etag: 4 }]);
  expect(records(await readKind('key_backup_keys', fill))).toMatchObject([{ version: 2, is_verified: true }]);
});

it('makes account data of push rules and tags, and leaves out what was deleted', async () => {
  const found = await readKind('account_data', (database) => {
    database.insert('users', { name: ALICE, creation_ts: 1 });
    database.insert('account_data', {
      user_id: ALICE,
      account_data_type: 'a',
      stream_id: 4,
      content: '{"b":1}',
    });
    database.insert('account_data', {
      user_id: ALICE,
      account_data_type: 'gone',
      stream_id: 5,
      content: '{}',
    });
    database.insert('account_data', {
      user_id: ALICE,
      account_data_type: 'broken',
      stream_id: 6,
      content: '{',
    });
    for (const [tag, content] of [
      ['m.favourite', '{"order":0.5}'],
      ['u.x', '{}'],
    ] as const)
      database.insert('room_tags', { user_id: ALICE, room_id: ROOM, tag, content });
    const rule = {
      user_name: ALICE,
      conditions: '[{"kind":"event_match","key":"content.body","pattern":"p*"}]',
    };
    database.insert('push_rules', {
      ...rule,
      id: 1,
      rule_id: 'global/content/later',
      priority_class: 4,
      priority: 0,
      actions: '["notify"]',
    });
    database.insert('push_rules', {
      ...rule,
      id: 2,
      rule_id: 'global/content/a/b',
      priority_class: 4,
      priority: 1,
      actions: '[]',
    });
    database.insert('push_rules', {
      ...rule,
      id: 3,
      rule_id: 'global/underride/.m.rule.message',
      priority_class: -1,
      priority: 1,
      actions: '[]',
    });
    database.insert('push_rules_enable', { user_name: ALICE, rule_id: 'global/content/a/b', enabled: 0 });
    database.insert('push_rules_enable', {
      user_name: ALICE,
      rule_id: 'global/override/.m.rule.master',
      enabled: 1,
    });
  });
  const [broken, data, tags, rules] = records(found);
  expect(broken).toBe(`${ALICE} broken: content is not JSON`);
  expect(data).toMatchObject({ room_id: '', type: 'a', content: '{"b":1}', position: 4 });
  expect(tags).toMatchObject({
    room_id: ROOM,
    type: 'm.tag',
    content: '{"tags":{"m.favourite":{"order":0.5},"u.x":{}}}',
  });
  expect(JSON.parse((rules as { content: string }).content)).toEqual({
    added: {
      ...{ override: [], room: [], sender: [], underride: [] },
      content: [
        { rule_id: 'a/b', default: false, enabled: false, actions: [], pattern: 'p*' },
        { rule_id: 'later', default: false, enabled: true, actions: ['notify'], pattern: 'p*' },
      ],
    },
    changed: { '.m.rule.message': { actions: [] }, '.m.rule.master': { enabled: true } },
  });
});

it('carries the history of rooms in its order, with positions that receipts find', async () => {
  const fill = (database: ReferenceDatabase) => {
    database.insert('rooms', { room_id: ROOM, is_public: 1, creator: null, room_version: null });
    database.insert('rooms', { room_id: '!leftover:test', room_version: '10' });
    const event = { room_id: ROOM, sender: ALICE, content: {} };
    database.insertEvent({ ...event, event_id: '$early', type: 'm.x', stream_ordering: -3 });
    database.insertEvent({
      ...event,
      event_id: '$create',
      type: 'm.room.create',
      state_key: '',
      contains_ids: true,
      stream_ordering: 1,
    });
    database.insertEvent({ ...event, event_id: '$outlier', type: 'm.x', outlier: true });
    database.insertEvent({ ...event, event_id: '$rejected', type: 'm.x', rejection_reason: 'auth' });
    database.insertEvent({ ...event, event_id: '$soft', type: 'm.x', soft_failed: true });
    database.insertEvent({ ...event, event_id: '$broken', type: 'm.x' });
    database.run(`UPDATE event_json SET json = '{' WHERE event_id = '$broken'`);
    database.insert('receipts_linearized', {
      stream_id: 9,
      room_id: ROOM,
      receipt_type: 'm.read',
      user_id: ALICE,
      event_id: '$create',
      data: '{"ts":5}',
    });
    database.insert('room_account_data', {
      user_id: ALICE,
      room_id: ROOM,
      account_data_type: 'm.fully_read',
      stream_id: 1,
      content: '{"event_id":"$soft"}',
    });
    database.insert('room_account_data', {
      user_id: '@b:test',
      room_id: ROOM,
      account_data_type: 'm.fully_read',
      stream_id: 1,
      content: '{"event_id"',
    });
  };
  expect(records(await readKind('rooms', fill))).toMatchObject([
    { room_id: ROOM, creator: ALICE, room_version: '1', public: true },
  ]);
  const events = records(await readKind('events', fill));
  expect(events).toMatchObject([
    { event_id: '$early', room_id: ROOM, stored: { arrival: 1 } },
    { event_id: '$create', stored: { arrival: 5 } },
    { event_id: '$soft', soft_failed: true, stored: { arrival: 8 } },
    '$broken: json is not JSON',
  ]);
  expect(events[0]).not.toHaveProperty('unsigned');
  expect(records(await readKind('receipts', fill))).toMatchObject([
    { type: 'm.read', event_id: '$create', arrival: 5, ts: 5, thread_id: '' },
    { type: 'm.fully_read', event_id: '$soft', arrival: 8 },
  ]);
});

it('says which files of media are missing or of another length', async () => {
  const { folder, path, settings } = setUp();
  const database = createReferenceDatabase(path);
  const medium = { created_ts: 1, user_id: ALICE, media_length: 3 };
  for (const media_id of ['aabbwhole', 'aabbgone', 'aabblong'])
    database.insert('local_media_repository', { ...medium, media_id });
  database.insert('local_media_repository', { ...medium, media_id: 'preview', url_cache: 'https://x' });
  database.insert('local_media_repository', { ...medium, media_id: 'never', media_length: null });
  database.close();
  mkdirSync(join(folder, 'local_content/aa/bb'), { recursive: true });
  writeFileSync(join(folder, 'local_content/aa/bb/whole'), 'abc');
  writeFileSync(join(folder, 'local_content/aa/bb/long'), 'abcd');
  const old = await openReference(settings, {
    pepper: undefined,
    storesPasswords: true,
    now: NOW,
    copy: `${path}-copy`,
  });
  const found: Found[] = [];
  for (const part of old.parts.filter(({ kind }) => kind === 'media'))
    for await (const each of part.read()) found.push(each);
  expect(found).toMatchObject([
    {
      key: 'aabbgone',
      losses: ['its file local_content/aa/bb/gone is missing: it is listed and not served'],
    },
    {
      key: 'aabblong',
      losses: ['its file local_content/aa/bb/long has 4 bytes, and not 3: it is listed and not served'],
    },
    { key: 'aabbwhole', losses: [], record: { file: 'local_content/aa/bb/whole' } },
  ]);
  expect(await old.leftOut()).toEqual([
    { table: 'local_media_repository', rows: 1, reason: 'previews of web pages, which are made again' },
    { table: 'local_media_repository', rows: 1, reason: 'were announced and never uploaded' },
    { table: 'schema_version', rows: 1, reason: 'work and caches of the old server' },
  ]);
  await old.close();
});

it.each<[problem: string, yaml: string, fill?: (database: ReferenceDatabase) => void]>([
  ['server_name', 'database: {name: sqlite3, args: {database: homeserver.db}}'],
  ['database.name is mysql', 'server_name: test\ndatabase: {name: mysql}'],
  ['is not YAML', 'server_name: [1'],
  ['has no keys', '- a'],
  ['does not exist', 'server_name: test\ndatabase: {name: sqlite3, args: {database: other.db}}'],
  [
    'has the version 95, and this release reads 84 to 94',
    '',
    (database) => database.run('UPDATE schema_version SET version = 95'),
  ],
  ['it has no table schema_version', '', (database) => database.run('DROP TABLE schema_version')],
  [
    'is not complete: schema_version has no row',
    '',
    (database) => database.run('DELETE FROM schema_version'),
  ],
  [
    'is not complete: the schema 94 has the tables e2e_room_keys, event_json. It was not restored to its end.',
    '',
    (database) => database.run('DROP TABLE event_json; DROP TABLE e2e_room_keys'),
  ],
  [
    'cannot be read: file is not a database',
    'server_name: test\ndatabase: {name: sqlite3, args: {database: homeserver.yaml}}',
  ],
])('refuses another database or configuration: %s', async (problem, yaml, fill) => {
  const { folder, path } = setUp();
  if (yaml !== '') writeFileSync(join(folder, 'homeserver.yaml'), yaml);
  const database = createReferenceDatabase(path);
  fill?.(database);
  database.close();
  const opening = async () =>
    openReference(readSettings([join(folder, 'homeserver.yaml')]), {
      pepper: undefined,
      storesPasswords: true,
      now: NOW,
      copy: `${path}-copy`,
    });
  await expect(opening()).rejects.toThrow(problem);
});

it('names the database and the table of a query that cannot be carried out', async () => {
  const fill = (database: ReferenceDatabase) => database.run('ALTER TABLE devices DROP COLUMN last_seen');
  await expect(readKind('users', fill)).rejects.toThrow(
    /^The database .*homeserver\.db cannot be read at the table devices: no such column: last_seen\.$/,
  );
});

it('names the keys of the configuration that are not read', () => {
  const { settings } = setUp('listeners: []\npassword_config: {peper: x, pepper: y}\nserver_nmae: z');
  expect(settings.unread).toEqual(['listeners', 'password_config.peper', 'server_nmae']);
});

const MALLORY = '@mallory:test';

/** A ban redacts what its user has sent in the room up to a position, or without an end. */
function banMallory(database: ReferenceDatabase, end: number | null): void {
  const row = { room_id: ROOM, user_id: MALLORY, redacting_event_id: '$ban', redact_end_ordering: end };
  database.insert('room_ban_redactions', row);
}

const message = { room_id: ROOM, sender: MALLORY, type: 'm.room.message', content: { body: 'bad' } };
const joined = { ...message, type: 'm.room.member', state_key: MALLORY, content: { membership: 'join' } };
const ban = { ...joined, event_id: '$ban', sender: ALICE, content: { membership: 'ban' } };

it('hides state that the room does not have after a fork, and names it', async () => {
  const found = await readKind('events', (database) => {
    const name = { room_id: ROOM, sender: ALICE, type: 'm.room.name', state_key: '', content: {} };
    database.insertEvent({ ...name, event_id: '$name' });
    database.insertEvent({ ...name, event_id: '$lost' });
    database.insertEvent({ ...name, event_id: '$refused', type: 'm.room.topic' });
    database.insertEvent({ ...name, event_id: '$left', room_id: '!left:test' });
    const held = { room_id: ROOM, type: 'm.room.name', state_key: '' };
    database.insert('current_state_events', { ...held, event_id: '$name' });
  });
  const hidden = found.map((each) =>
    'record' in each ? [each.key, each.record.soft_failed ?? false, each.losses] : each.problem,
  );
  const reason =
    'it is hidden: the state of the room has an earlier event in its place, or none, because the history has forked';
  expect(hidden).toEqual([
    ['$name', false, []],
    ['$lost', true, [reason]],
    ['$refused', true, [reason]],
    ['$left', false, []],
  ]);
});

const BOB = '@bob:test';

/** The functions that add events with state groups, which have what they add to the group before. */
function groupsOf(database: ReferenceDatabase) {
  let last = 0;
  const add = (group: number, before: number | undefined, state: object[]) => {
    database.insert('state_groups', { id: group, room_id: ROOM });
    if (before !== undefined)
      database.insert('state_group_edges', { state_group: group, prev_state_group: before });
    for (const row of state)
      database.insert('state_groups_state', { state_group: group, room_id: ROOM, ...row });
    last = Math.max(last, group);
    return group;
  };
  const event = (event_id: string, group: number, more: object = {}) => {
    database.insertEvent({ ...message, sender: ALICE, event_id, ...more });
    database.insert('event_to_state_groups', { event_id, state_group: group });
  };
  /** Adds a state event after a group; returns its group. */
  const state = (
    event_id: string,
    before: number | undefined,
    type: string,
    state_key: string,
    content: object,
    more: object = {},
  ) => {
    const group = add(last + 1, before, [{ type, state_key, event_id }]);
    event(event_id, group, { type, state_key, content, ...more });
    return group;
  };
  return { add, event, state };
}

/** What the state events replaced in their branches, by id, where that is not what precedes them. */
function replacedIn(found: readonly Found[]): object {
  const replaced = found.flatMap((each) => {
    const stored = 'record' in each ? (each.record.stored as { replaces_in_branch?: string }) : {};
    return stored.replaces_in_branch === undefined ? [] : [[each.key, stored.replaces_in_branch]];
  });
  return Object.fromEntries(replaced);
}

/** The ranges of positions of the state events that have some, by id. */
function rangesIn(found: readonly Found[]): object {
  const ranges = found.flatMap((each) => {
    const stored = 'record' in each ? (each.record.stored as { in_state?: object }) : {};
    return stored.in_state ? [[each.key, stored.in_state]] : [];
  });
  return Object.fromEntries(ranges);
}

it('says of state after a fork at which positions the room had it, and from the last one on what it has now', async () => {
  const found = await readKind('events', (database) => {
    const { add, event, state } = groupsOf(database);
    const created = state('$create', undefined, 'm.room.create', '', {});
    const joined = state('$join', created, 'm.room.member', BOB, { membership: 'join' });
    const base = state('$visibility', joined, 'm.room.history_visibility', '', {
      history_visibility: 'joined',
    });
    event('$before', base);
    // Bob leaves on one branch, and the other goes on with him.
    const left = state('$leave', base, 'm.room.member', BOB, { membership: 'leave' });
    event('$other branch', base);
    event('$this branch', left);
    const open = state('$open', left, 'm.room.history_visibility', '', {
      history_visibility: 'world_readable',
    });
    event('$other branch still', base);
    event('$open to all', open);
    // A group without one before it has all of the state. The fork is merged with Bob as a member.
    const whole = add(open + 1, undefined, [
      { type: 'm.room.create', state_key: '', event_id: '$create' },
      { type: 'm.room.member', state_key: BOB, event_id: '$join' },
      { type: 'm.room.history_visibility', state_key: '', event_id: '$visibility' },
    ]);
    event('$merged', whole);
    // A room whose groups were only arranged anew.
    database.insertEvent({ ...message, room_id: '!other:test', event_id: '$one' });
    database.insertEvent({ ...message, room_id: '!other:test', event_id: '$two' });
    database.insert('event_to_state_groups', { event_id: '$one', state_group: 90 });
    database.insert('event_to_state_groups', { event_id: '$two', state_group: 91 });
  });
  expect(rangesIn(found)).toEqual({
    $join: [
      { from: 2, until: 5 },
      { from: 6, until: 7 },
      { from: 9, until: 10 },
      { from: 11, until: 12 },
    ],
    $visibility: [
      { from: 3, until: 8 },
      { from: 9, until: 10 },
      { from: 11, until: 12 },
    ],
    $leave: [{ from: 5, until: 6 }, { from: 7, until: 9 }, { from: 10, until: 11 }, { from: 12 }],
    $open: [{ from: 8, until: 9 }, { from: 10, until: 11 }, { from: 12 }],
  });
});

it('says of state events that followed another branch at which positions the room had them and what they replaced, also before any message', async () => {
  const found = await readKind('events', (database) => {
    const { state } = groupsOf(database);
    const created = state('$create', undefined, 'm.room.create', '', {});
    const joined = state('$join', created, 'm.room.member', BOB, { membership: 'join' });
    const topic = state('$topic', joined, 'm.room.topic', '', { topic: 'on one branch' });
    // The other branch has no topic.
    const name = state('$name', joined, 'm.room.name', '', { name: 'on the other' });
    state('$first', name, 'm.room.topic', '', { topic: 'on the other' });
    state('$second', topic, 'm.room.topic', '', {}, { replaces_state: '$topic' });
  });
  expect(rangesIn(found)).toEqual({
    $topic: [{ from: 3, until: 4 }],
    $name: [{ from: 4, until: 6 }, { from: 7 }],
    $first: [{ from: 5, until: 6 }],
    $second: [{ from: 6 }],
  });
  expect(replacedIn(found)).toEqual({ $first: '', $second: '$topic' });
});

it('says which messages and state a ban has redacted, unless they have a redaction of their own', async () => {
  const found = await readKind('events', (database) => {
    const redact = (event_id: string, more: object) => {
      const id = `${event_id}-redaction`;
      const redaction = { room_id: ROOM, sender: ALICE, type: 'm.room.redaction', content: {} };
      database.insertEvent({ ...redaction, event_id: id, redacts: event_id, ...more });
      database.insert('redactions', { event_id: id, redacts: event_id });
    };
    for (const event_id of ['$bad', '$own', '$soft', '$rejected'])
      database.insertEvent({ ...message, event_id });
    redact('$own', {});
    redact('$soft', { soft_failed: true });
    redact('$rejected', { rejection_reason: 'auth_error' });
    database.insertEvent({ ...joined, event_id: '$join' });
    database.insertEvent({ ...message, event_id: '$other', sender: ALICE });
    database.insertEvent({ ...message, event_id: '$elsewhere', room_id: '!elsewhere:test' });
    database.insertEvent(ban);
    database.insertEvent({ ...joined, event_id: '$again', stream_ordering: 50 });
    database.insertEvent({ ...message, event_id: '$since' });
    banMallory(database, 50);
  });
  const stored = records(found).map((record) =>
    typeof record === 'object' ? [record.event_id, record.stored] : record,
  );
  expect(stored).toEqual([
    ['$bad', { arrival: 1, redacted_by: '$ban' }],
    ['$own', { arrival: 2 }],
    ['$soft', { arrival: 3, redacted_by: '$ban' }],
    ['$rejected', { arrival: 4, redacted_by: '$ban' }],
    ['$own-redaction', { arrival: 5 }],
    ['$soft-redaction', { arrival: 6 }],
    ['$join', { arrival: 8, redacted_by: '$ban' }],
    ['$other', { arrival: 9 }],
    ['$elsewhere', { arrival: 10 }],
    ['$ban', { arrival: 11 }],
    ['$again', { arrival: 50 }],
    ['$since', { arrival: 51 }],
  ]);
});

it.each([
  ['the events that a ban has redacted since', 20_001, null, ['$bad', '$join']],
  ['the events of who has joined again since a ban', 3, 20_002, ['$bad', '$join']],
  ['no event that a ban had redacted before', 3, 5, []],
])('a later copy reads %s', async (_, position, end, expected) => {
  const fill = (database: ReferenceDatabase) => {
    database.insertEvent({ ...message, event_id: '$bad' });
    database.insertEvent({ ...joined, event_id: '$join' });
    database.insertEvent({ ...message, event_id: '$other', sender: ALICE });
    database.insertEvent({ ...ban, stream_ordering: position });
    banMallory(database, end);
  };
  const found = await readKind('events', fill, { seen: { lowest: 1, highest: 20_000 } });
  expect(found.map(({ key }) => key).filter((key) => key !== '$ban')).toEqual(expected);
});
