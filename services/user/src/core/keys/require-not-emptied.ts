import { removeKeys } from '../accounts/effects/remove-keys.ts';
import type { Deps } from '../deps.ts';
import { sessionEnded } from '../sessions/active-session.ts';

/**
 * To be asked after keys of an account were written: a deactivation may have removed all others before
 * these were there. They are removed as well then.
 *
 * @param epoch the account's session epoch before the keys were written
 * @throws refuse.unknownToken when the account was deactivated meanwhile
 */
export async function requireNotEmptied(deps: Deps, userId: string, epoch: number): Promise<void> {
  const account = await deps.accounts.findOne({ _id: userId }, { projection: { emptied_epoch: 1 } });
  if (account && epoch >= (account.emptied_epoch ?? 0)) return;
  if (account) await removeKeys(deps, account);
  throw sessionEnded();
}
