/** A backup of the keys by which a user's devices read encrypted rooms; itself encrypted by them. */
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
  /** The account's session epoch when it was made. */
  epoch: number;
}

/** The key of one room session in a backup. */
export interface KeyBackupSession {
  /** See `keyBackupSessionId`. */
  _id: string;
  user_id: string;
  /** That of the backup. */
  version: number;
  room_id: string;
  session_id: string;
  first_message_index: number;
  forwarded_count: number;
  is_verified: boolean;
  /** A JSON object. */
  session_data: string;
  /** That of the backup. */
  epoch: number;
}

/** The key of a backup's document. */
export function keyBackupId(userId: string, version: number): string {
  return `${userId} ${version}`;
}

/** The key of a session's document; room and session ids may hold any character. */
export function keyBackupSessionId(
  { user_id, version }: KeyBackup,
  roomId: string,
  sessionId: string,
): string {
  return JSON.stringify([user_id, version, roomId, sessionId]);
}
