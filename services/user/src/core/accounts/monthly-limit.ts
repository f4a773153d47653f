import { monthlyUsersExceeded } from '@steward/errors';
import { MONTH_MS, SUPPORT } from '../components/monthly-users.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';

/**
 * Whether somebody would be one active user too many; who counts already this month is not, nor is a
 * support account. Without an account it is somebody new.
 */
export async function isOverMonthlyLimit(
  deps: Pick<Deps, 'clock' | 'monthlyUsers'>,
  account?: Pick<Account, 'user_type' | 'last_seen_ts'>,
): Promise<boolean> {
  if (account?.user_type === SUPPORT) return false;
  const lastSeen = account?.last_seen_ts ?? null;
  if (lastSeen !== null && lastSeen >= deps.clock.now() - MONTH_MS) return false;
  return deps.monthlyUsers.isFull();
}

/**
 * Refuses who would be one active user too many.
 *
 * @throws monthlyUsersExceeded
 */
export async function requireMonthlyCapacity(
  deps: Deps,
  account?: Pick<Account, 'user_type' | 'last_seen_ts'>,
): Promise<void> {
  if (await isOverMonthlyLimit(deps, account)) throw monthlyUsersExceeded(deps.settings.adminContact);
}
