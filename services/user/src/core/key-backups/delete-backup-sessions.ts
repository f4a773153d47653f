import type { Collection, Filter } from '@steward/store';
import type { KeyBackupSession } from '../model/key-backup.ts';

/** The number of documents that are deleted together; other requests are served in between. */
const BATCH = 500;

/** Deletes sessions of key backups, of which there may be very many. */
export async function deleteBackupSessions(
  sessions: Collection<KeyBackupSession>,
  filter: Filter<KeyBackupSession>,
): Promise<void> {
  for (;;) {
    const batch = await sessions.find(filter, { projection: { _id: 1 }, limit: BATCH }).toArray();
    if (batch.length === 0) return;
    await sessions.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
  }
}
