import { hash } from 'node:crypto';
import { own } from '@steward/kernel';
import type { Part } from '../../part.ts';
import type { Row } from '../source/database.ts';
import { flag, json, jsonObject, text, whole, wholeOrNull } from '../source/row.ts';
import { type Context, groupsPart, rowsPart } from './context.ts';
import { canonicalText, keyRing } from './key-ring.ts';

const EPOCH = 0;

/** One-time keys that were not handed out, cross-signing keys, key backups, and messages that wait for devices. */
export function keyParts(context: Context): readonly Part[] {
  const { database } = context;
  const by = (...columns: string[]) =>
    `ORDER BY ${columns.map((column) => database.inOrder(column)).join(', ')}`;
  return [
    rowsPart(context, {
      kind: 'one_time_keys',
      table: 'e2e_one_time_keys_json',
      query: `keys.*, dehydrated.device_id AS dehydrated FROM e2e_one_time_keys_json AS keys ${withDehydrated('keys')} ${by('keys.user_id', 'keys.device_id', 'algorithm', 'key_id')}`,
      keyOf: (row) => `${row.user_id} ${row.device_id} ${row.algorithm}:${row.key_id}`,
      read: (row) => ({
        record: {
          user_id: text(row, 'user_id'),
          device_id: row.dehydrated === null ? text(row, 'device_id') : null,
          key_ring: keyRing(text(row, 'user_id'), text(row, 'device_id')),
          epoch: EPOCH,
          algorithm: text(row, 'algorithm'),
          name: `${text(row, 'algorithm')}:${text(row, 'key_id')}`,
          key: canonicalText(json(row, 'key_json')),
          uploaded_ts: whole(row, 'ts_added_ms'),
        },
      }),
    }),
    groupsPart(context, {
      kind: 'cross_signing_keys',
      table: 'e2e_cross_signing_keys',
      counted: '(SELECT 1 FROM e2e_cross_signing_keys GROUP BY user_id) AS users',
      query: `user_id AS key, user_id FROM e2e_cross_signing_keys GROUP BY user_id ${by('user_id')}`,
      others: {
        keys: [
          'e2e_cross_signing_keys',
          `user_id AS key, keytype, keydata, stream_id FROM e2e_cross_signing_keys ${by('user_id')}, stream_id`,
        ],
        signatures: [
          'e2e_cross_signing_signatures',
          `user_id AS key, target_device_id, key_id, signature FROM e2e_cross_signing_signatures WHERE user_id = target_user_id ${by('user_id', 'key_id')}`,
        ],
      },
      read(row, { keys, signatures }) {
        if (!text(row, 'user_id').endsWith(`:${context.serverName}`)) return undefined;
        // Of several rows the latest holds.
        const latest = new Map(keys.map((key) => [text(key, 'keytype'), key]));
        const keyOf = (type: string) => {
          const key = latest.get(type);
          return key ? canonicalText(jsonObject(key, 'keydata')) : null;
        };
        const master = keyOf('master');
        if (master === null) throw new Error('there is no master key');
        const [masterKey] = Object.values(own(JSON.parse(master), 'keys') as object);
        const later = signatures.filter((each) => each.target_device_id === masterKey);
        return {
          record: {
            user_id: text(row, 'user_id'),
            version: 1,
            epoch: EPOCH,
            master,
            self_signing: keyOf('self_signing'),
            user_signing: keyOf('user_signing'),
            master_signatures: signaturesOf(later),
          },
        };
      },
    }),
    groupsPart(context, {
      kind: 'key_signatures',
      table: 'e2e_cross_signing_signatures',
      counted:
        '(SELECT 1 FROM e2e_cross_signing_signatures WHERE user_id <> target_user_id GROUP BY user_id, target_user_id, target_device_id) AS pairs',
      query: `${PAIR} AS key, user_id, target_user_id, target_device_id FROM e2e_cross_signing_signatures WHERE user_id <> target_user_id GROUP BY user_id, target_user_id, target_device_id ${by(PAIR)}`,
      others: {
        signatures: [
          'e2e_cross_signing_signatures',
          `${PAIR} AS key, key_id, signature FROM e2e_cross_signing_signatures WHERE user_id <> target_user_id ${by(PAIR, 'key_id')}`,
        ],
      },
      read: (row, { signatures }) => ({
        record: {
          users: JSON.stringify([text(row, 'user_id'), text(row, 'target_user_id')]),
          user_id: text(row, 'user_id'),
          master_key: text(row, 'target_device_id'),
          signatures: signaturesOf(signatures),
          epoch: EPOCH,
        },
      }),
    }),
    rowsPart(context, {
      kind: 'key_backups',
      table: 'e2e_room_keys_versions',
      counted: 'e2e_room_keys_versions WHERE deleted = 0',
      query: `* FROM e2e_room_keys_versions WHERE deleted = 0 ${by('user_id')}, version`,
      keyOf: (row) => `${row.user_id} version ${row.version}`,
      read: (row) => ({
        record: {
          user_id: text(row, 'user_id'),
          version: whole(row, 'version'),
          algorithm: text(row, 'algorithm'),
          auth_data: JSON.stringify(jsonObject(row, 'auth_data')),
          etag: wholeOrNull(row, 'etag') ?? 0,
          epoch: EPOCH,
        },
      }),
    }),
    rowsPart(context, {
      kind: 'key_backup_keys',
      table: 'e2e_room_keys',
      query: `e2e_room_keys.*, versions.version AS known FROM e2e_room_keys LEFT JOIN e2e_room_keys_versions AS versions ON versions.user_id = e2e_room_keys.user_id AND versions.version = e2e_room_keys.version AND versions.deleted = 0 ${by('e2e_room_keys.user_id')}, e2e_room_keys.version, ${database.inOrder('room_id')}, ${database.inOrder('session_id')}`,
      keyOf: (row) => `${row.user_id} version ${row.version} ${row.room_id} ${row.session_id}`,
      read(row) {
        // What is left of a backup that was deleted.
        if (row.known === null) return undefined;
        return {
          record: {
            user_id: text(row, 'user_id'),
            version: whole(row, 'version'),
            room_id: text(row, 'room_id'),
            session_id: text(row, 'session_id'),
            first_message_index: wholeOrNull(row, 'first_message_index') ?? 0,
            forwarded_count: wholeOrNull(row, 'forwarded_count') ?? 0,
            is_verified: flag(row, 'is_verified'),
            session_data: JSON.stringify(jsonObject(row, 'session_data')),
            epoch: EPOCH,
          },
        };
      },
    }),
    rowsPart(context, {
      kind: 'device_messages',
      table: 'device_inbox',
      query: `device_inbox.*, devices.device_id AS known, dehydrated.device_id AS dehydrated FROM device_inbox ${withDehydrated('device_inbox')} LEFT JOIN devices ON devices.user_id = device_inbox.user_id AND devices.device_id = device_inbox.device_id ORDER BY stream_id, ${database.inOrder('device_inbox.user_id')}, ${database.inOrder('device_inbox.device_id')}`,
      keyOf: (row) => `stream_id ${row.stream_id} to ${row.user_id} ${row.device_id}`,
      read(row) {
        // A device that has gone receives nothing any more.
        if (row.known === null) return undefined;
        const userId = text(row, 'user_id');
        const deviceId = text(row, 'device_id');
        const message = jsonObject(row, 'message_json');
        const ring = keyRing(userId, deviceId);
        const sent = whole(row, 'stream_id');
        return {
          record: {
            id: `${ring} ${hash('sha256', `${sent}\n${JSON.stringify(message)}`, 'base64url')}`,
            queue: ring,
            user_id: userId,
            device_id: row.dehydrated === null ? deviceId : null,
            epoch: EPOCH,
            sent,
            sender: text(message, 'sender'),
            type: text(message, 'type'),
            content: JSON.stringify(jsonObject({ content: own(message, 'content') }, 'content')),
            responses: [],
            received_ts: 0,
          },
        };
      },
    }),
  ];
}

/** Joins the dehydrated devices to rows of devices, as SQL. */
function withDehydrated(table: string): string {
  return `LEFT JOIN dehydrated_devices AS dehydrated ON dehydrated.user_id = ${table}.user_id AND dehydrated.device_id = ${table}.device_id`;
}

/** Names a signing user and what is signed, as SQL. */
const PAIR = `user_id || ' ' || target_user_id || ' ' || target_device_id`;

function signaturesOf(rows: readonly Row[]): string {
  return JSON.stringify(Object.fromEntries(rows.map((row) => [text(row, 'key_id'), text(row, 'signature')])));
}
