import {
  type Field,
  flag,
  id,
  jsonText,
  list,
  nullable,
  object,
  ofAggregate,
  optional,
  type RecordKind,
  recordKind,
  stillToDo,
  text,
  whole,
} from '@steward/records';
import {
  type CrossSigningKeys,
  crossSigningKeys,
  type KeySignatures,
  keySignatures,
} from '../model/cross-signing-keys.ts';
import {
  type DehydratedDevice,
  type DehydratedDeviceSlot,
  dehydratedDevices,
} from '../model/dehydrated-device.ts';
import type { FallbackKey } from '../model/device.ts';
import { type DeviceMessage, deviceMessages } from '../model/device-message.ts';
import {
  type KeyBackup,
  type KeyBackupSession,
  keyBackupId,
  keyBackupSessionId,
  keyBackupSessions,
  keyBackups,
} from '../model/key-backup.ts';
import { type OneTimeKey, oneTimeKeyId, oneTimeKeys } from '../model/one-time-key.ts';

const USER = id('The user id.');
const EPOCH = whole('The session epoch of the account, see `users`; 0 for an account without one.');
const RING = id('The key ring of the device, see `devices`.');

/** The fallback keys of a device. */
export const fallbackKeys = (): Field<readonly FallbackKey[]> =>
  list(
    object<FallbackKey>(
      'The keys that are handed out when the one-time keys of their algorithms are used up.',
      {
        name: text('`<algorithm>:<id>`.'),
        key: jsonText('The key: a string or an object in canonical JSON.'),
      },
    ),
  );

/** The kinds of records of keys for encryption, and of messages between devices. */
export const KEY_KINDS: readonly RecordKind[] = [
  recordKind<OneTimeKey>({
    name: 'one_time_keys',
    about:
      'A key with which others begin one encrypted session with a device. One that was handed out has no record.',
    collection: oneTimeKeys,
    idOf: ({ key_ring, name }) => oneTimeKeyId(key_ring, name),
    owner: 'user_id',
    fields: {
      user_id: USER,
      device_id: nullable(text('The device; null for a dehydrated one.')),
      key_ring: RING,
      epoch: EPOCH,
      algorithm: text('For example signed_curve25519.'),
      name: text('`<algorithm>:<id>`.'),
      key: jsonText('The key: a string or an object in canonical JSON.'),
      uploaded_ts: whole('When it was uploaded; the oldest is handed out first.'),
    },
  }),
  recordKind<DehydratedDeviceSlot>({
    name: 'dehydrated_devices',
    about: 'The dehydrated device of a user, or that it was removed.',
    collection: dehydratedDevices,
    key: ['user_id', 'The user id.'],
    owner: 'user_id',
    fields: {
      ...ofAggregate,
      device: nullable(
        object<DehydratedDevice>('The device; null after its removal.', {
          device_id: text('The device id.'),
          key_ring: RING,
          epoch: EPOCH,
          display_name: nullable(text('The display name.')),
          device_data: jsonText('The encrypted private keys.'),
          device_keys: jsonText('The identity keys, in canonical JSON without `unsigned`.'),
          fallback_keys: fallbackKeys(),
        }),
      ),
      pending: stillToDo(),
    },
  }),
  recordKind<CrossSigningKeys>({
    name: 'cross_signing_keys',
    about: 'The cross-signing keys of a user.',
    collection: crossSigningKeys,
    key: ['user_id', 'The user id.'],
    owner: 'user_id',
    fields: {
      version: whole('How often they were changed.'),
      epoch: EPOCH,
      master: jsonText('The master key, in canonical JSON as it was uploaded.'),
      self_signing: nullable(jsonText('The self-signing key; null for none.')),
      user_signing: nullable(jsonText('The user-signing key; null for none.')),
      master_signatures: jsonText('The later signatures of the user over the master key, by key id.'),
    },
  }),
  recordKind<KeySignatures>({
    name: 'key_signatures',
    about: 'The signatures of a user over the master key of another.',
    collection: keySignatures,
    key: ['users', 'The signing user and the other one, as a JSON list.'],
    owner: 'user_id',
    fields: {
      user_id: id('The user who signs.'),
      master_key: text('The signed master key, in base64.'),
      signatures: jsonText('The signatures, by key id.'),
      epoch: EPOCH,
    },
  }),
  recordKind<KeyBackup>({
    name: 'key_backups',
    about: 'A version of the key backup of a user.',
    collection: keyBackups,
    idOf: ({ user_id, version }) => keyBackupId(user_id, version),
    owner: 'user_id',
    fields: {
      user_id: USER,
      version: whole('The number of the version; the highest is the current one.'),
      algorithm: text('The algorithm.'),
      auth_data: jsonText('As the client sent it.'),
      etag: whole('Rises when keys in it change.'),
      epoch: EPOCH,
      bytes: optional(whole('The size of the keys in it, which the server counts when it is absent.')),
      counted_ts: optional(whole('When a full backup was last counted again.')),
      reserved_ts: optional(whole('When space was last reserved in it.')),
    },
  }),
  recordKind<KeyBackupSession>({
    name: 'key_backup_keys',
    about: 'The key of one room session in a key backup.',
    collection: keyBackupSessions,
    idOf: ({ user_id, version, room_id, session_id }) =>
      keyBackupSessionId({ user_id, version }, room_id, session_id),
    owner: 'user_id',
    fields: {
      user_id: USER,
      version: whole('The version of the backup.'),
      room_id: text('The room id.'),
      session_id: text('The session id.'),
      first_message_index: whole('The index of the first message that it reads.'),
      forwarded_count: whole('How often it was forwarded.'),
      is_verified: flag('Whether the client that stored it had verified where it is from.'),
      session_data: jsonText('The encrypted key.'),
      epoch: EPOCH,
    },
  }),
  recordKind<DeviceMessage, 'bytes'>({
    name: 'device_messages',
    about:
      'A message from one device to another. Received ones are remembered for a day, so that none is delivered twice.',
    collection: deviceMessages,
    key: ['id', 'The key ring of the receiving device, a space, and the digest of the transaction.'],
    owner: 'user_id',
    fields: {
      queue: RING,
      user_id: id('The receiving user.'),
      device_id: nullable(text('The receiving device; null for a dehydrated one.')),
      epoch: EPOCH,
      sent: whole('Orders the messages of a queue: a time of arrival in milliseconds since the Unix epoch.'),
      sender: id('The sending user.'),
      type: text('The type.'),
      content: text('A JSON object as text; empty once it is received.'),
      responses: list(whole('The numbers of the sync responses that contained it.')),
      received_ts: whole('When the device acknowledged it; 0 while it waits.'),
    },
    derived: { bytes: ({ content }) => Buffer.byteLength(content) },
  }),
];
