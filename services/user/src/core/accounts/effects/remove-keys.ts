import type { Collection, Filter } from '@steward/store';
import type { Account } from '../../model/account.ts';
import type { Deps } from '../../deps.ts';
import type { KeyBackupSession } from '../../model/key-backup.ts';

/** Documents that are deleted at a time, so that others get their turn. */
const BATCH = 500;

/**
 * Removes the keys that a deactivated account had beside those of its devices: its cross-signing keys,
 * its signatures and its key backups. What it has since it was reactivated stays, however late this runs.
 */
export async function removeKeys(
  deps: Pick<Deps, 'crossSigningKeys' | 'keySignatures' | 'keyBackups' | 'keyBackupSessions'>,
  { _id: userId, emptied_epoch: emptied }: Pick<Account, '_id' | 'emptied_epoch'>,
): Promise<void> {
  if (emptied === undefined) return;
  const earlier = { $lt: emptied };
  await deps.crossSigningKeys.deleteMany({ _id: userId, epoch: earlier });
  await deps.keySignatures.deleteMany({ user_id: userId, epoch: earlier });
  await deps.keyBackups.deleteMany({ user_id: userId, epoch: earlier });
  // What later backups hold need not be looked through.
  const later = await deps.keyBackups.findOne({ user_id: userId }, { sort: { version: 1 } });
  await deleteSessions(deps.keyBackupSessions, {
    user_id: userId,
    epoch: earlier,
    ...(later ? { version: { $lt: later.version } } : {}),
  });
}

/** Deletes sessions of key backups, of which there may be very many. */
export async function deleteSessions(
  sessions: Collection<KeyBackupSession>,
  filter: Filter<KeyBackupSession>,
): Promise<void> {
  for (;;) {
    const batch = await sessions.find(filter, { projection: { _id: 1 }, limit: BATCH }).toArray();
    if (batch.length === 0) return;
    await sessions.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
  }
}
