import { declareCollection, declareServerKeys, type IndexDeclaration, PENDING_INDEX } from '@steward/store';
import type { AccountData, AccountDataStream } from './model/account-data.ts';
import type { Account } from './model/account.ts';
import type { Device } from './model/device.ts';
import type { Filter } from './model/filter.ts';
import type { InteractiveSession } from './interactive-auth/interactive-session.ts';
import type { KeyBackup, KeyBackupSession } from './model/key-backup.ts';
import type { CrossSigningKeys, KeySignatures } from './model/cross-signing-keys.ts';
import type { OneTimeKey } from './model/one-time-key.ts';
import type { Pusher } from './model/pusher.ts';
import type { SpentNonce } from '../verbs/registration/nonce.ts';
import type { RegistrationToken } from './model/registration-token.ts';
import type { Connection } from './model/connection.ts';
import type { EndedSessions } from './accounts/effects/end-sessions.ts';
import type { RefreshToken } from './model/refresh-token.ts';
import type { Token } from './model/token.ts';

/** Sort keys with so many values that both directions need an index: ties ascend in either. */
const WIDE_SORT_KEYS = ['displayname', 'avatar_url', 'creation_ts', 'last_seen_ts'] as const;

const listIndexes = WIDE_SORT_KEYS.flatMap((key): IndexDeclaration<Account>[] => [
  {
    name: `list_${key}_f`,
    keys: [
      ['facet', 1],
      [key, 1],
      ['_id', 1],
    ],
  },
  {
    name: `list_${key}_b`,
    keys: [
      ['facet', 1],
      [key, -1],
      ['_id', 1],
    ],
  },
]);

/**
 * Accounts, by user id, which everything but lists and look-ups by address names. The unique index keeps
 * them from being sharded, see decision 12.
 */
export const accounts = declareCollection<Account>({
  name: 'user.accounts',
  shardKey: '_id',
  arrays: ['threepids', 'external_ids', 'directory_words', 'pending'],
  search: ['folded_id', 'folded_localpart', 'folded_displayname'],
  tally: 'facet',
  indexes: [
    {
      name: 'list_name',
      keys: [
        ['facet', 1],
        ['_id', 1],
      ],
    },
    ...listIndexes,
    { name: 'avatar', keys: [['avatar_url', 1]] },
    { name: 'folded_id', keys: [['folded_id', 1]] },
    { name: 'threepids', keys: [['threepids.key', 1]], sparse: true },
    // The array comes first: FerretDB answers no `$elemMatch` by a later key of an index.
    { name: 'directory', keys: [['directory_words', 1]] },
    { name: 'external_ids', keys: [['external_ids.key', 1]], unique: true, sparse: true },
    PENDING_INDEX,
  ],
});

/** Devices, by account. */
export const devices = declareCollection<Device>({
  name: 'user.devices',
  shardKey: 'user_id',
  indexes: [
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_epoch',
      keys: [
        ['user_id', 1],
        ['epoch', 1],
      ],
    },
  ],
});

/** Access tokens, by their digest. */
export const tokens = declareCollection<Token>({
  name: 'user.tokens',
  shardKey: '_id',
  indexes: [
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_owner',
      keys: [
        ['owner', 1],
        ['epoch', 1],
      ],
    },
  ],
});

/** Refresh tokens, by their digest. */
export const refreshTokens = declareCollection<RefreshToken>({
  name: 'user.refresh_tokens',
  shardKey: '_id',
  indexes: [
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_epoch',
      keys: [
        ['user_id', 1],
        ['epoch', 1],
      ],
    },
  ],
});

/** Pushers, by account. */
export const pushers = declareCollection<Pusher>({
  name: 'user.pushers',
  shardKey: 'user_id',
  indexes: [
    { name: 'by_user', keys: [['user_id', 1]] },
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_key',
      keys: [
        ['app_id', 1],
        ['pushkey', 1],
      ],
    },
  ],
});

/** What clients keep with their accounts; the push rules among it. */
export const accountData = declareCollection<AccountData>({
  name: 'user.account_data',
  shardKey: 'user_id',
  indexes: [
    {
      name: 'by_name',
      keys: [
        ['user_id', 1],
        ['room_id', 1],
        ['type', 1],
      ],
    },
    {
      name: 'by_position',
      keys: [
        ['user_id', 1],
        ['position', 1],
      ],
    },
    { name: 'of_room', keys: [['room_id', 1]] },
  ],
});

/** The order of changes of account data, by user id. */
export const accountDataStreams = declareCollection<AccountDataStream>({
  name: 'user.account_data_streams',
  shardKey: '_id',
  arrays: ['pending'],
  indexes: [PENDING_INDEX],
});

/** Filters of accounts. */
export const filters = declareCollection<Filter>({
  name: 'user.filters',
  shardKey: 'user_id',
  indexes: [{ name: 'by_user', keys: [['user_id', 1]] }],
});

/** One-time keys, by device. */
export const oneTimeKeys = declareCollection<OneTimeKey>({
  name: 'user.one_time_keys',
  shardKey: 'user_id',
  indexes: [
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_algorithm',
      keys: [
        ['key_ring', 1],
        ['algorithm', 1],
        ['uploaded_ts', 1],
      ],
    },
  ],
});

/** Cross-signing keys, by user id. */
export const crossSigningKeys = declareCollection<CrossSigningKeys>({
  name: 'user.cross_signing_keys',
  shardKey: '_id',
  indexes: [],
});

/** Signatures of users over the master keys of others. */
export const keySignatures = declareCollection<KeySignatures>({
  name: 'user.key_signatures',
  shardKey: '_id',
  indexes: [{ name: 'by_user', keys: [['user_id', 1]] }],
});

/** Versions of key backups, by account. */
export const keyBackups = declareCollection<KeyBackup>({
  name: 'user.key_backups',
  shardKey: '_id',
  indexes: [
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['version', 1],
      ],
    },
  ],
});

/** Room sessions in key backups, by account. */
export const keyBackupSessions = declareCollection<KeyBackupSession>({
  name: 'user.key_backup_sessions',
  shardKey: 'user_id',
  indexes: [
    {
      name: 'by_room',
      keys: [
        ['user_id', 1],
        ['version', 1],
        ['room_id', 1],
        ['session_id', 1],
      ],
    },
    { name: 'of_room', keys: [['room_id', 1]] },
  ],
});

/** From where tokens were used, by the account that they belong to. */
export const connections = declareCollection<Connection>({
  name: 'user.connections',
  shardKey: 'user_id',
  indexes: [
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['last_seen', -1],
      ],
    },
    { name: 'age', keys: [['last_seen', 1]] },
  ],
});

/** Accounts whose sessions were ended a moment ago. */
export const endedSessions = declareCollection<EndedSessions>({
  name: 'user.ended_sessions',
  shardKey: '_id',
  indexes: [{ name: 'due', keys: [['repeat_ts', 1]] }],
});

/** Sessions of user-interactive authentication. */
export const interactiveSessions = declareCollection<InteractiveSession>({
  name: 'user.interactive_sessions',
  shardKey: '_id',
  indexes: [{ name: 'expiry', keys: [['expires_ts', 1]] }],
});

/** Tokens that admit people to registration, by their text. */
export const registrationTokens = declareCollection<RegistrationToken>({
  name: 'user.registration_tokens',
  shardKey: '_id',
  indexes: [],
});

/** Nonces of shared-secret registration that were spent. */
export const spentNonces = declareCollection<SpentNonce>({
  name: 'user.spent_nonces',
  shardKey: '_id',
  indexes: [{ name: 'expiry', keys: [['expires_ts', 1]] }],
});

/** Keys that all instances of the service share. */
export const serverKeys = declareServerKeys('user');
