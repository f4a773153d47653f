import { settleOwed } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { settleAccountOwed } from './apply-account-effect.ts';

/** An account, after what its earlier changes still owed has been done; `undefined` for an unknown one. */
export async function loadAccount(deps: Deps, userId: string): Promise<Account | undefined> {
  const account = await deps.accounts.findOne({ _id: userId });
  if (!account) return undefined;
  if (!account.pending?.length) return account;
  return settleOwed(deps.accounts, account, (owed, document) => settleAccountOwed(deps, owed, document));
}
