import { removeInBatches } from '@steward/store';
import type { Deps } from '../../deps.ts';
import { type ChangeDeps, changeKeys } from '../../key-changes/change-keys.ts';
import type { Account } from '../../model/account.ts';

/**
 * Removes the keys of a deactivated account other than those of its devices: its cross-signing keys, its
 * signatures and its key backups. Keys since a reactivation stay, however late this runs.
 */
export async function removeKeys(
  deps: ChangeDeps & Pick<Deps, 'crossSigningKeys' | 'keySignatures' | 'keyBackups' | 'keyBackupSessions'>,
  { _id: userId, emptied_epoch: emptied }: Pick<Account, '_id' | 'emptied_epoch'>,
): Promise<void> {
  if (emptied === undefined) return;
  const earlier = { $lt: emptied };
  const ended = { _id: userId, epoch: earlier };
  if (await deps.crossSigningKeys.findOne(ended, { projection: { _id: 1 } }))
    await changeKeys(deps, userId, () => deps.crossSigningKeys.deleteMany(ended));
  await deps.keySignatures.deleteMany({ user_id: userId, epoch: earlier });
  await deps.keyBackups.deleteMany({ user_id: userId, epoch: earlier });
  // The sessions of later backups need not be scanned.
  const later = await deps.keyBackups.findOne({ user_id: userId }, { sort: { version: 1 } });
  await removeInBatches(deps.keyBackupSessions, {
    user_id: userId,
    epoch: earlier,
    ...(later ? { version: { $lt: later.version } } : {}),
  });
}
