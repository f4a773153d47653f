import { refuse } from '@steward/errors';
import { accountAggregate } from '../../core/accounts/account-aggregate.ts';
import { requireLocalSuffix } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';

export async function accountOfRateLimit(deps: Deps, userId: string) {
  requireLocalSuffix(deps, userId);
  const account = await accountAggregate.load(deps, userId);
  if (!account) throw refuse.notFound('User not found');
  return account;
}
