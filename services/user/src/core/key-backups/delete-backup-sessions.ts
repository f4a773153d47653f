import type { Filter } from '@steward/store';
import type { Deps } from '../deps.ts';
import { type KeyBackupSession, keyBackupId } from '../model/key-backup.ts';
import { releaseBackupSpace, sizeOfAll } from './backup-space.ts';

/** The number of documents that are deleted together; other requests are served in between. */
const BATCH = 500;

/** Deletes sessions of existing key backups, of which there may be very many, and releases their space. */
export async function deleteCountedSessions(
  deps: Pick<Deps, 'keyBackups' | 'keyBackupSessions'>,
  filter: Filter<KeyBackupSession>,
): Promise<void> {
  for (;;) {
    const batch = await deps.keyBackupSessions
      .find(filter, {
        projection: { user_id: 1, version: 1, room_id: 1, session_id: 1, session_data: 1 },
        limit: BATCH,
      })
      .toArray();
    if (batch.length === 0) return;
    const byBackup = Map.groupBy(batch, ({ user_id, version }) => keyBackupId(user_id, version));
    for (const [backupId, sessions] of byBackup) {
      // The etag changes before the keys.
      await deps.keyBackups.updateOne({ _id: backupId }, { $inc: { etag: 1 } });
      const { deletedCount } = await deps.keyBackupSessions.deleteMany({
        _id: { $in: sessions.map(({ _id }) => _id) },
      });
      // If a concurrent request has deleted some of them, it is unknown which, and their space stays reserved.
      if (deletedCount === sessions.length) await releaseBackupSpace(deps, backupId, sizeOfAll(sessions));
    }
  }
}
