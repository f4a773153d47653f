import { refuse } from '@steward/errors';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { parseOrRefuse } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';

/** An erased user has no profile any more; users of other servers have none here. */
export async function accountWithProfile(deps: Deps, userId: string): Promise<Account> {
  const { domain } = parseOrRefuse(userId);
  const account = domain === deps.serverName ? await accountAggregate.load(deps, userId) : undefined;
  if (!account || (account.deactivated && account.erased)) throw refuse.notFound('User not found');
  return account;
}
