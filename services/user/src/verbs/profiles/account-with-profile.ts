import { refuse } from '@steward/errors';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { parseOrRefuse } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';

/**
 * The account of a user who has a profile on this server: erased users and users of other servers have none.
 *
 * @throws refuse.notFound
 */
export async function accountWithProfile(deps: Deps, userId: string): Promise<Account> {
  const { domain } = parseOrRefuse(userId);
  const account = domain === deps.serverName ? await accountAggregate.load(deps, userId) : undefined;
  if (!account || (account.deactivated && account.erased)) throw refuse.notFound('User not found');
  return account;
}
