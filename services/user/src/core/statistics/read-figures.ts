import { DAY_MS, type Figures, HOUR_MS, startOf } from '@steward/statistics';
import { countActiveUsers, MONTH_MS } from '../components/monthly-users.ts';
import type { Deps } from '../deps.ts';
import { flagsOf } from '../model/account.ts';

const WEEK_MS = 7 * DAY_MS;

/** Reads the current figures of accounts, from totals that the store keeps and from ranges of indexes. */
export async function readFigures({
  accounts,
  clock,
  counts,
}: Pick<Deps, 'accounts' | 'clock' | 'counts'>): Promise<Figures<'user'>> {
  const now = clock.now();
  const [byState, daily, weekly, monthly, lastDay] = await Promise.all([
    countByState(accounts),
    countActiveUsers(accounts, now - DAY_MS),
    countActiveUsers(accounts, now - WEEK_MS),
    countActiveUsers(accounts, now - MONTH_MS),
    countLastDay(counts, now),
  ]);
  return {
    ...byState,
    daily_active_users: daily,
    weekly_active_users: weekly,
    monthly_active_users: monthly,
    registrations_last_day: lastDay('registrations'),
    failed_sign_ins_last_day: lastDay('failed_sign_ins'),
  };
}

async function countByState(accounts: Deps['accounts']) {
  const counts = { accounts: 0, active_accounts: 0, locked_accounts: 0, suspended_accounts: 0 };
  for (const [facet, count] of await accounts.tally()) {
    const { deactivated, locked, suspended } = flagsOf(facet);
    counts.accounts += count;
    if (deactivated) continue;
    counts.active_accounts += count;
    if (locked) counts.locked_accounts += count;
    if (suspended) counts.suspended_accounts += count;
  }
  return counts;
}

/** What was counted in this hour and in the 23 hours before it. */
async function countLastDay(counts: Deps['counts'], now: number): Promise<(name: string) => number> {
  const until = startOf(now, HOUR_MS) + HOUR_MS;
  const hours = await counts.read({ from: until - DAY_MS, until, intervalMs: HOUR_MS });
  return (name) => [...hours.values()].reduce((sum, counted) => sum + (counted.get(name) ?? 0), 0);
}
