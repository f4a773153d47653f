import { declareCollection, firstOfList } from '@steward/store';

/** A backup of the keys with which a user's devices read encrypted rooms; the devices encrypt it. */
export interface KeyBackup {
  /** See `keyBackupId`. */
  _id: string;
  user_id: string;
  /** Counts up for each user; the highest one that exists is the current one. */
  version: number;
  /** For example `m.megolm_backup.v1.curve25519-aes-sha2`. */
  algorithm: string;
  /** A JSON object. */
  auth_data: string;
  /** Rises whenever the sessions in it change. */
  etag: number;
  /** The account's session epoch when it was created. */
  epoch: number;
  /**
   * The size of the keys in it, see `sizeOf`; too high after a crash of a process that reserved space. Absent until those
   * that an earlier version of the server has stored are counted.
   */
  bytes?: number;
  /** When a full backup was last counted again, in milliseconds since the Unix epoch; absent until then. */
  counted_ts?: number;
  /** When space was last reserved, in milliseconds since the Unix epoch. */
  reserved_ts?: number;
}

/** The key of one room session in a backup. */
export interface KeyBackupSession {
  /** See `keyBackupSessionId`. */
  _id: string;
  user_id: string;
  /** As in the backup. */
  version: number;
  room_id: string;
  session_id: string;
  first_message_index: number;
  forwarded_count: number;
  is_verified: boolean;
  /** A JSON object. */
  session_data: string;
  /** As in the backup. */
  epoch: number;
}

/** The size that each key counts in addition to its texts, in bytes; it limits the number of keys. */
const OVERHEAD_BYTES = 256;

/** The size of a key that counts towards the quota of the account, in bytes. */
export function sizeOf(session: Pick<KeyBackupSession, 'room_id' | 'session_id' | 'session_data'>): number {
  const { room_id, session_id, session_data } = session;
  return (
    OVERHEAD_BYTES +
    Buffer.byteLength(room_id) +
    Buffer.byteLength(session_id) +
    Buffer.byteLength(session_data)
  );
}

/** The key of a backup's document. */
export function keyBackupId(userId: string, version: number): string {
  return `${userId} ${version}`;
}

/** The key of a session's document; room and session ids may hold any character. */
export function keyBackupSessionId(
  { user_id, version }: Pick<KeyBackup, 'user_id' | 'version'>,
  roomId: string,
  sessionId: string,
): string {
  return JSON.stringify([user_id, version, roomId, sessionId]);
}

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
  shardKeyOfId: firstOfList,
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
