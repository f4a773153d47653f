import { removeKeys } from '../accounts/effects/remove-keys.ts';
import type { Deps } from '../deps.ts';
import { sessionEnded } from '../sessions/active-session.ts';

/**
 * Checks after a write of keys that the account was not deactivated during it: the deactivation may have removed
 * the account's keys before these were written. In that case they are removed, too.
 *
 * @param epoch the account's session epoch before the keys were written
 * @throws refuse.unknownToken when the account was deactivated during the write
 */
export async function requireNotEmptied(deps: Deps, userId: string, epoch: number): Promise<void> {
  const account = await deps.accounts.findOne({ _id: userId }, { projection: { emptied_epoch: 1 } });
  if (account && epoch >= (account.emptied_epoch ?? 0)) return;
  if (account) await removeKeys(deps, account);
  throw sessionEnded();
}
