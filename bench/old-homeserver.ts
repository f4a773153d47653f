/**
 * Makes the database of an old homeserver, with its configuration and media, for measurements of `steward migrate copy`:
 *
 * ```sh
 * node bench/old-homeserver.ts <folder> --scale 0.2   # 1: 100,000 users, 10,000 rooms, 5,000,000 events, 200,000 media
 * node bench/old-homeserver.ts <folder> --change      # what happens on it afterwards: 1 % of everything
 * ```
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { createReferenceDatabase, type ReferenceDatabase } from '@steward/migrate/testing';

const USERS = 100_000;
const ROOMS = 10_000;
const EVENTS = 5_000_000;
const MEDIA = 200_000;

/** One-time keys of a device, and account data, keys in the backup of every second user. */
const ONE_TIME_KEYS = 10;
const ACCOUNT_DATA = 3;
const BACKUP_KEYS = 10;

/** How many members the largest room has, and every one. */
const LARGEST = 20_000;
const SMALLEST = 5;

const MEDIUM_BYTES = 1_000;
const SERVER = 'bench.test';
const TIME = 1_700_000_000_000;
const HASH = '$2b$12$W4E/9CbkPukYhmQK.U6s5.Y4Y/xqMNmJhZv7phnaqpT2yFffOiU8a';

const KEY = 'A'.repeat(43);

/** Rows between two commits. */
const BATCH = 20_000;

const userId = (n: number) => `@user${String(n).padStart(6, '0')}:${SERVER}`;
const roomId = (n: number) => `!room${String(n).padStart(5, '0')}:${SERVER}`;
const eventId = (n: number) => `$${String(n).padStart(43, 'e')}`;
const mediaId = (n: number) => `media${String((n * 7919) % 1_000_003).padStart(19, 'm')}`;

/** Numbers from 0 to below 1, the same in each run. */
function numbers(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

function make(folder: string, scale: number): void {
  const users = Math.ceil(USERS * scale);
  const rooms = Math.ceil(ROOMS * scale);
  mkdirSync(join(folder, 'media_store'), { recursive: true });
  writeFileSync(
    join(folder, 'homeserver.yaml'),
    `server_name: ${SERVER}\ndatabase: {name: sqlite3, args: {database: homeserver.db}}\nmedia_store_path: media_store\n`,
  );
  const old = createReferenceDatabase(join(folder, 'homeserver.db'));
  old.run('PRAGMA journal_mode = MEMORY');
  let rows = 0;
  old.run('BEGIN');
  const database: ReferenceDatabase = {
    ...old,
    insert(table, row) {
      old.insert(table, row);
      if (++rows % BATCH === 0) old.run('COMMIT; BEGIN');
    },
  };
  for (let n = 0; n < users; n++) makeUser(database, n);
  makeRooms(old, () => ++rows % BATCH === 0 && old.run('COMMIT; BEGIN'), {
    users,
    rooms,
    events: EVENTS * scale,
  });
  for (let n = 0; n < MEDIA * scale; n++) makeMedium(database, folder, n, users);
  old.run('COMMIT; ANALYZE');
  old.close();
}

function makeUser({ insert }: ReferenceDatabase, n: number): void {
  const user_id = userId(n);
  insert('users', {
    name: user_id,
    password_hash: HASH,
    creation_ts: TIME / 1_000 + n,
    admin: n === 0 ? 1 : 0,
    is_guest: 0,
    deactivated: 0,
    shadow_banned: 0,
    approved: 1,
  });
  insert('profiles', {
    user_id: `user${String(n).padStart(6, '0')}`,
    full_user_id: user_id,
    displayname: `User ${n}`,
  });
  const device = { user_id, device_id: `DEVICE${n}` };
  insert('devices', {
    ...device,
    display_name: 'Phone',
    last_seen: TIME + n,
    ip: '192.0.2.1',
    user_agent: 'app',
    hidden: 0,
  });
  insert('access_tokens', { ...device, id: n, token: `syt_${n}`, last_validated: TIME, used: 1 });
  insert('user_ips', {
    ...device,
    access_token: `syt_${n}`,
    ip: '192.0.2.1',
    user_agent: 'app',
    last_seen: TIME + n,
  });
  insert('e2e_device_keys_json', {
    ...device,
    ts_added_ms: TIME,
    key_json: JSON.stringify({
      ...device,
      algorithms: ['m.olm.v1.curve25519-aes-sha2'],
      keys: { [`curve25519:${device.device_id}`]: KEY, [`ed25519:${device.device_id}`]: KEY },
      signatures: { [user_id]: { [`ed25519:${device.device_id}`]: KEY } },
    }),
  });
  insert('e2e_fallback_keys_json', {
    ...device,
    algorithm: 'signed_curve25519',
    key_id: 'FALL',
    key_json: JSON.stringify({ key: KEY }),
    used: 0,
  });
  for (let k = 0; k < ONE_TIME_KEYS; k++)
    insert('e2e_one_time_keys_json', {
      ...device,
      algorithm: 'signed_curve25519',
      key_id: `K${k}`,
      ts_added_ms: TIME,
      key_json: JSON.stringify({
        key: KEY,
        signatures: { [user_id]: { [`ed25519:${device.device_id}`]: KEY } },
      }),
    });
  for (const [index, keytype] of ['master', 'self_signing', 'user_signing'].entries())
    insert('e2e_cross_signing_keys', {
      user_id,
      keytype,
      stream_id: n * 3 + index,
      keydata: JSON.stringify({
        user_id,
        usage: [keytype],
        keys: { [`ed25519:${keytype}${n}`]: `${keytype}${n}` },
      }),
    });
  for (let k = 0; k < ACCOUNT_DATA; k++)
    insert('account_data', {
      user_id,
      account_data_type: `org.example.${k}`,
      stream_id: n * ACCOUNT_DATA + k + 1,
      content: JSON.stringify({ n, text: 'x'.repeat(100) }),
    });
  if (n % 2 === 1) return;
  insert('e2e_room_keys_versions', {
    user_id,
    version: 1,
    algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2',
    auth_data: '{}',
    deleted: 0,
    etag: 1,
  });
  for (let k = 0; k < BACKUP_KEYS; k++)
    insert('e2e_room_keys', {
      user_id,
      room_id: roomId(k),
      session_id: `session${k}`,
      version: 1,
      first_message_index: 0,
      forwarded_count: 0,
      is_verified: 1,
      session_data: JSON.stringify({ ciphertext: 'x'.repeat(200) }),
    });
  insert('pushers', {
    id: n,
    user_name: user_id,
    access_token: n,
    kind: 'http',
    app_id: 'app',
    app_display_name: 'App',
    device_display_name: 'Phone',
    pushkey: `key${n}`,
    ts: TIME,
    lang: 'en',
    data: '{"url":"https://push.test/_matrix/push/v1/notify"}',
    enabled: 1,
    device_id: device.device_id,
  });
}

interface Size {
  readonly users: number;
  readonly rooms: number;
  readonly events: number;
}

function makeRooms(
  { insert, insertEvent }: ReferenceDatabase,
  onRow: () => void,
  { users, rooms, events }: Size,
): void {
  let number = 0;
  const latest: string[] = [];
  const event = (room: number, sender: number, type: string, content: object, state_key?: string) => {
    const event_id = eventId(++number);
    const before = latest[room];
    insertEvent({
      event_id,
      room_id: roomId(room),
      sender: userId(sender),
      type,
      content,
      prev_events: before === undefined ? [] : [before],
      ...(state_key === undefined ? {} : { state_key }),
    });
    latest[room] = event_id;
    onRow();
    return event_id;
  };
  const members: number[] = [];
  for (let room = 0; room < rooms; room++) {
    const count = Math.min(users, Math.max(SMALLEST, Math.floor((LARGEST * users) / USERS / (room + 1))));
    members[room] = count;
    const creator = (room * 31) % users;
    insert('rooms', {
      room_id: roomId(room),
      is_public: room % 10 === 0 ? 1 : 0,
      creator: userId(creator),
      room_version: '10',
    });
    event(room, creator, 'm.room.create', { creator: userId(creator), room_version: '10' }, '');
    for (let m = 0; m < count; m++) {
      const user = (creator + m) % users;
      const id = event(
        room,
        user,
        'm.room.member',
        { membership: 'join', displayname: `User ${user}` },
        userId(user),
      );
      insert('room_memberships', {
        event_id: id,
        user_id: userId(user),
        sender: userId(user),
        room_id: roomId(room),
        membership: 'join',
        forgotten: 0,
        event_stream_ordering: number,
      });
      onRow();
      if (m > 0) continue;
      event(room, creator, 'm.room.power_levels', { users: { [userId(creator)]: 100 } }, '');
      event(room, creator, 'm.room.join_rules', { join_rule: 'public' }, '');
      event(room, creator, 'm.room.history_visibility', { history_visibility: 'shared' }, '');
      event(room, creator, 'm.room.name', { name: `Room ${room}` }, '');
    }
    if (room % 3 === 0)
      insert('room_aliases', {
        room_alias: `#room${room}:${SERVER}`,
        room_id: roomId(room),
        creator: userId(creator),
      });
  }
  // The first room has about a tenth of all messages.
  const next = numbers();
  const sizes = Math.log(rooms);
  while (number < events) {
    const room = Math.min(rooms - 1, Math.floor(Math.exp(next() * sizes)) - 1);
    const sender = ((room * 31) % users) + Math.floor(next() * (members[room] ?? 1));
    event(room, sender % users, 'm.room.message', {
      msgtype: 'm.text',
      body: `message ${number} `.padEnd(40 + Math.floor(next() * 160), 'lorem '),
    });
  }
  let stream = 0;
  for (let room = 0; room < rooms; room++)
    for (let m = 0; m < (members[room] ?? 0); m += 2) {
      insert('receipts_linearized', {
        stream_id: ++stream,
        room_id: roomId(room),
        receipt_type: 'm.read',
        user_id: userId((((room * 31) % users) + m) % users),
        event_id: latest[room] ?? '',
        data: JSON.stringify({ ts: TIME }),
      });
      onRow();
    }
  for (let n = 0; n < events / 10_000; n++)
    insert('event_reports', {
      id: n + 1,
      received_ts: TIME + n,
      room_id: roomId(0),
      event_id: eventId(1 + n * 1_000),
      user_id: userId(n % users),
      reason: 'rude',
      content: '{"score":-50}',
    });
}

function makeMedium({ insert }: ReferenceDatabase, folder: string, n: number, users: number): void {
  const media_id = mediaId(n);
  const path = join(folder, 'media_store/local_content', media_id.slice(0, 2), media_id.slice(2, 4));
  if (n === 0) mkdirSync(path, { recursive: true });
  writeFileSync(join(path, media_id.slice(4)), Buffer.alloc(MEDIUM_BYTES, n));
  insert('local_media_repository', {
    media_id,
    media_type: 'image/png',
    media_length: MEDIUM_BYTES,
    created_ts: TIME + n,
    upload_name: `${n}.png`,
    user_id: userId(n % users),
    safe_from_quarantine: 0,
    authenticated: 1,
  });
}

/** What happens between two copies to a hundredth of everything. */
function change(folder: string): void {
  const database = new DatabaseSync(join(folder, 'homeserver.db'));
  const { events } = database.prepare('SELECT MAX(stream_ordering) AS events FROM events').get() ?? {};
  const last = Number(events);
  database.exec(`
    BEGIN;
    UPDATE users SET locked = 1 WHERE rowid % 100 = 0;
    UPDATE profiles SET displayname = displayname || '!' WHERE rowid % 100 = 1;
    UPDATE devices SET last_seen = last_seen + 1 WHERE rowid % 100 = 2;
    DELETE FROM access_tokens WHERE id % 100 = 3;
    DELETE FROM e2e_one_time_keys_json WHERE rowid % 100 = 4;
    UPDATE account_data SET content = '{"changed":1}' WHERE rowid % 100 = 5;
    UPDATE rooms SET is_public = 1 - is_public WHERE rowid % 100 = 6;
    UPDATE local_media_repository SET quarantined_by = '${userId(0)}' WHERE rowid % 100 = 7;
    INSERT INTO events SELECT topological_ordering, event_id || 'x', type, room_id, content, unrecognized_keys, processed, outlier, depth, origin_server_ts, received_ts, sender, contains_url, instance_name, stream_ordering + ${last}, state_key, rejection_reason FROM events WHERE type = 'm.room.message' AND stream_ordering % 100 = 0;
    INSERT INTO event_json SELECT event_id || 'x', room_id, internal_metadata, json, format_version FROM event_json WHERE event_id IN (SELECT substr(event_id, 1, 44) FROM events WHERE stream_ordering > ${last});
    COMMIT;
  `);
  database.close();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string', default: '1' }, change: { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder.');
if (values.change) change(folder);
else make(folder, Number(values.scale));
