import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';

/** Whether an account has expired, if accounts can expire (behaviour.md 0.2, check 4). */
export function isExpired(deps: Pick<Deps, 'settings' | 'clock'>, account: Account): boolean {
  const { expiration_ts: expiration = null } = account;
  return deps.settings.accountValidityEnabled && expiration !== null && expiration <= deps.clock.now();
}
