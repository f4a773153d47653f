import type { Deps } from '../deps.ts';
import { type Account, type NewAccount, newAccount } from '../model/account.ts';
import type { Debt } from '../model/account-effect.ts';
import type { Cause } from '../model/cause.ts';
import { settle, stamp } from './change-account.ts';

/**
 * Creates an account in one commit and does what that owes; `debts` come first.
 *
 * @throws Conflict when the user id is taken, or an external id belongs to another account
 */
export async function createAccount(
  deps: Deps,
  init: Omit<NewAccount, 'serverName' | 'now'>,
  cause: Cause,
  debts: readonly Debt[] = [],
): Promise<Account> {
  const account = newAccount({ ...init, serverName: deps.serverName, now: deps.clock.now() });
  const claims = account.threepids.length > 0 ? [{ kind: 'threepids_claimed' } as const] : [];
  const pending = stamp(deps, [...debts, ...claims, { kind: 'created' }], account.version, cause);
  const inserted = { ...account, pending };
  await deps.accounts.insertOne(inserted);
  return settle(deps, inserted);
}
