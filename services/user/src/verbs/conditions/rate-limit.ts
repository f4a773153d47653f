import { refuse } from '@steward/errors';
import { loadAccount } from '../../core/accounts/load-account.ts';
import { requireLocalSuffix } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';

export async function accountOfRateLimit(deps: Deps, userId: string) {
  requireLocalSuffix(deps, userId);
  const account = await loadAccount(deps, userId);
  if (!account) throw refuse.notFound('User not found');
  return account;
}
