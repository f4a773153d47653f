import { refuse, wrongKeyBackup } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';
import { type KeyBackup, keyBackupId } from '../../core/model/key-backup.ts';

/** The syntax of versions: decimal, with as many digits as a number represents exactly. */
const VERSION = /^[1-9]\d{0,14}$/;

/**
 * The current backup of a user.
 *
 * @throws refuse.notFound when there is none
 */
export async function currentKeyBackup(deps: Deps, userId: string): Promise<KeyBackup> {
  const current = await deps.keyBackups.findOne({ user_id: userId }, { sort: { version: -1 } });
  if (!current) throw refuse.notFound('There is no key backup');
  return current;
}

/**
 * The backup of a version.
 *
 * @throws refuse.notFound when there is none
 */
export async function existingKeyBackup(deps: Deps, userId: string, version: string): Promise<KeyBackup> {
  const backup = VERSION.test(version)
    ? await deps.keyBackups.findOne({ _id: keyBackupId(userId, Number(version)) })
    : null;
  if (!backup) throw refuse.notFound('There is no key backup of this version');
  return backup;
}

/**
 * The backup of a version, which must be the current one.
 *
 * @throws refuse.notFound when there is none of this version, wrongKeyBackup when there is a newer one
 */
export async function writableKeyBackup(deps: Deps, userId: string, version: string): Promise<KeyBackup> {
  const backup = await existingKeyBackup(deps, userId, version);
  const current = await currentKeyBackup(deps, userId);
  if (current.version !== backup.version) throw wrongKeyBackup(String(current.version));
  return backup;
}
