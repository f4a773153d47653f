import { scopeName } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { rightsOf } from './account-rights.ts';
import { beyondLimit } from './limited-rights.ts';

/** Why sessions that begin with the password of an account do not have all its rights, for the caller who gives them; undefined if they have. */
export async function pendingRights(
  deps: Pick<Deps, 'roles'>,
  account: Account,
): Promise<string | undefined> {
  if (!account.password_limit) return undefined;
  const withheld = beyondLimit(await rightsOf(deps, account), account.password_limit).map(scopeName);
  if (withheld.length === 0) return undefined;
  return `A caller with fewer rights set the password of this account: sessions that begin with it do not have ${withheld.join(', ')} until a caller who has these scopes sets a new password`;
}
