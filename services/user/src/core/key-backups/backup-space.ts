import type { QuotaHolder } from '@steward/limits';
import { Conflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type KeyBackup, type KeyBackupSession, sizeOf } from '../model/key-backup.ts';

/** The minimum time between recounts of a full backup, in milliseconds: there may be very many keys. */
const RECOUNT_AFTER_MS = 60 * 60_000;

/** How long keys may take to be written after their space was reserved, in milliseconds. */
const WRITE_MS = 60_000;

type SpaceDeps = Pick<Deps, 'clock' | 'keyBackups' | 'keyBackupSessions'>;

/**
 * Reserves space for keys that are about to be written to a backup, and raises its etag in the same write. The keys of
 * the user's other backups count, too. A process that crashes before it writes the keys, and concurrent requests for the
 * same keys, leave space reserved; when none seems to be left, the keys are counted again, but not while
 * reserved ones may still be written.
 *
 * Of two backups, only the current one grows. So users exceed the quota only by the keys that other requests write while
 * the current backup is replaced.
 *
 * @param bytes how much the keys add; negative if they replace larger ones
 * @throws quotaExceeded when there is not enough left
 * @throws Conflict when a concurrent request has changed how much is left
 */
export async function reserveBackupSpace(
  deps: SpaceDeps & Pick<Deps, 'quotas'>,
  holder: QuotaHolder,
  backup: KeyBackup,
  bytes: number,
): Promise<void> {
  const used = await usedBackupSpace(deps, backup.user_id);
  const others = used.total - (used.ofBackup.get(backup._id) ?? 0);
  const quota = Math.min(deps.quotas.of(holder, 'key_backup_bytes'), Number.MAX_SAFE_INTEGER);
  const tryReserve = async () => {
    const { matchedCount } = await deps.keyBackups.updateOne(
      { _id: backup._id, ...(bytes > 0 ? { bytes: { $lte: quota - others - bytes } } : {}) },
      { $inc: { etag: 1, bytes }, $set: { reserved_ts: deps.clock.now() } },
    );
    return matchedCount > 0;
  };
  if (await tryReserve()) return;
  const current = await recount(deps, backup._id);
  // A concurrent request has deleted the backup, as the caller finds out.
  if (!current) return;
  if (await tryReserve()) return;
  deps.quotas.require(holder, 'key_backup_bytes', others + (current.bytes ?? 0) + bytes);
  // A concurrent request has released space since.
  throw new Conflict('version');
}

/** Releases the space of deleted keys. */
export async function releaseBackupSpace(
  { keyBackups }: Pick<Deps, 'keyBackups'>,
  backupId: string,
  bytes: number,
): Promise<void> {
  // The keys of a backup of an earlier version may not be counted yet.
  await keyBackups.updateOne({ _id: backupId, bytes: { $gte: bytes } }, { $inc: { bytes: -bytes } });
}

/** The space that the keys in the backups of a user occupy. */
export interface UsedBackupSpace {
  readonly versions: number;
  /** In bytes. */
  readonly total: number;
  /** In bytes, by the key of the backup. */
  readonly ofBackup: ReadonlyMap<string, number>;
}

/** Returns what the key backups of a user occupy, and counts keys that an earlier version of the server has stored. */
export async function usedBackupSpace(deps: SpaceDeps, userId: string): Promise<UsedBackupSpace> {
  const ofBackup = new Map<string, number>();
  let total = 0;
  const backups = await deps.keyBackups
    .find({ user_id: userId }, { projection: { user_id: 1, version: 1, bytes: 1 } })
    .toArray();
  for (const backup of backups) {
    const bytes = backup.bytes ?? (await firstCount(deps, backup));
    ofBackup.set(backup._id, bytes);
    total += bytes;
  }
  return { versions: backups.length, total, ofBackup };
}

/** Counts the keys of a backup of an earlier version; the first one to finish decides. */
async function firstCount(deps: SpaceDeps, backup: Pick<KeyBackup, '_id' | 'user_id' | 'version'>) {
  const bytes = await countBytes(deps, backup);
  const { matchedCount } = await deps.keyBackups.updateOne(
    { _id: backup._id, bytes: null },
    { $set: { bytes } },
  );
  if (matchedCount > 0) return bytes;
  return (await deps.keyBackups.findOne({ _id: backup._id }))?.bytes ?? 0;
}

/** Counts the keys of a full backup again if that is due; returns the backup, undefined if it is gone. */
async function recount(deps: SpaceDeps, backupId: string): Promise<KeyBackup | undefined> {
  const now = deps.clock.now();
  const due = await deps.keyBackups.findOneAndUpdate(
    {
      _id: backupId,
      $and: [
        { $or: [{ counted_ts: null }, { counted_ts: { $lte: now - RECOUNT_AFTER_MS } }] },
        { $or: [{ reserved_ts: null }, { reserved_ts: { $lte: now - WRITE_MS } }] },
      ],
    },
    { $set: { counted_ts: now } },
    { returnDocument: 'after' },
  );
  if (due) {
    const counted = await countBytes(deps, due);
    // Adds the difference, so that space which other requests reserve during the count stays reserved.
    await deps.keyBackups.updateOne({ _id: backupId }, { $inc: { bytes: counted - (due.bytes ?? 0) } });
  }
  return (await deps.keyBackups.findOne({ _id: backupId })) ?? undefined;
}

async function countBytes(
  { keyBackupSessions }: Pick<Deps, 'keyBackupSessions'>,
  { user_id, version }: Pick<KeyBackup, 'user_id' | 'version'>,
): Promise<number> {
  let bytes = 0;
  const sessions = keyBackupSessions.find(
    { user_id, version },
    { projection: { room_id: 1, session_id: 1, session_data: 1 } },
  );
  for await (const session of sessions) bytes += sizeOf(session);
  return bytes;
}

/** The size of keys together, in bytes. */
export function sizeOfAll(
  sessions: readonly Pick<KeyBackupSession, 'room_id' | 'session_id' | 'session_data'>[],
): number {
  return sessions.reduce((sum, session) => sum + sizeOf(session), 0);
}
