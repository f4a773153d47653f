import { removeInBatches } from '@steward/store';
import type { Deps } from '../deps.ts';
import { keyBackupId } from '../model/key-backup.ts';

/**
 * Removes a backup with the keys in it, of which there may be very many. The backup itself is removed first, so
 * that no further keys are added.
 */
export async function removeKeyBackup(
  deps: Pick<Deps, 'keyBackups' | 'keyBackupSessions'>,
  userId: string,
  version: number,
): Promise<void> {
  await deps.keyBackups.deleteOne({ _id: keyBackupId(userId, version) });
  await removeInBatches(deps.keyBackupSessions, { user_id: userId, version });
}
