import { monthlyUsersExceeded } from '@steward/errors';
import { MONTH_MS, SUPPORT } from '../components/monthly-users.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';

/**
 * Whether an account would exceed the limit of active users. An account that already counts this month does not,
 * nor does a support account. Without `account`, the result is for a new one, whose type is the default one.
 */
export async function isOverMonthlyLimit(
  deps: Pick<Deps, 'clock' | 'monthlyUsers' | 'settings'>,
  account?: Pick<Account, 'user_type' | 'last_seen_ts'>,
): Promise<boolean> {
  const userType = account ? account.user_type : deps.settings.defaultUserType;
  if (userType === SUPPORT) return false;
  const lastSeen = account?.last_seen_ts ?? null;
  if (lastSeen !== null && lastSeen >= deps.clock.now() - MONTH_MS) return false;
  return deps.monthlyUsers.isFull();
}

/**
 * Refuses an account that would exceed the limit of active users.
 *
 * @throws monthlyUsersExceeded
 */
export async function requireMonthlyCapacity(
  deps: Deps,
  account?: Pick<Account, 'user_type' | 'last_seen_ts'>,
): Promise<void> {
  if (await isOverMonthlyLimit(deps, account)) throw monthlyUsersExceeded(deps.settings.adminContact);
}
