import { refuse } from '@steward/errors';
import { hasAccount, type Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { accountAggregate } from './account-aggregate.ts';

/**
 * The account of a caller who manages the ways to authenticate as its administrator.
 *
 * @throws refuse.forbidden for a caller without an account, and for one who acts as another user
 */
export async function callersAccount(deps: Deps, caller: Requester): Promise<Account> {
  const { userId, owner } = caller;
  if (!hasAccount(caller)) throw refuse.forbidden('You have no account');
  if (userId !== owner)
    throw refuse.forbidden('A token that acts as another user cannot do this: use your own');
  return requireActive(await accountAggregate.load(deps, userId));
}

/** @throws refuse.unknownToken when an account was deactivated during the request, or is gone */
export function requireActive(account: Account | undefined): Account {
  if (!account || account.deactivated) throw refuse.unknownToken('Unknown access token');
  return account;
}
