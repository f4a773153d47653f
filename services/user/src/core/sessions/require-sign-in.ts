import { refuse } from '@steward/errors';
import { requireApproval } from '../accounts/approval.ts';
import { requireMonthlyCapacity } from '../accounts/monthly-limit.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';

/**
 * Refuses an account that may not log in now, although its user has proved who they are.
 *
 * @throws refuse.userLocked, awaitingApproval, monthlyUsersExceeded
 */
export async function requireSignIn(deps: Deps, account: Account): Promise<void> {
  if (account.locked) throw refuse.userLocked('This account is locked');
  requireApproval(deps, account);
  await requireMonthlyCapacity(deps, account);
}
