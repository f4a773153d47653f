import type { Clock } from '@steward/kernel';
import type { Collections } from '../collections.ts';
import { flagsOf } from '../model/account.ts';

/** How long after their last use accounts count as active, in milliseconds (client-plane.md 8.4). */
export const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** How long the result that the limit is reached is cached, in milliseconds: refused clients retry. */
const FULL_MS = 1_000;

/** Support accounts do not count, and are never refused. */
export const SUPPORT = 'support';

/** Checks whether the limit of users active in a month is reached. */
export interface MonthlyUsers {
  /** Whether no further user may become active; a true result may be up to a second old. */
  isFull(): Promise<boolean>;
}

/** How many accounts were used since a time, in milliseconds since the Unix epoch, without guests and support accounts. */
export async function countActiveUsers(
  accounts: Pick<Collections['accounts'], 'tally' | 'countDocuments'>,
  since: number,
): Promise<number> {
  const facets = [...(await accounts.tally()).keys()].filter((facet) => {
    const flags = flagsOf(facet);
    return !flags.is_guest && flags.user_type !== SUPPORT;
  });
  const counts = await Promise.all(
    facets.map((facet) => accounts.countDocuments({ facet, last_seen_ts: { $gte: since } })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Counts the accounts used within a month, without guests and support accounts. Without a limit it is never full. */
export function createMonthlyUsers(options: {
  readonly accounts: Pick<Collections['accounts'], 'tally' | 'countDocuments'>;
  readonly clock: Clock;
  readonly limit: number | undefined;
}): MonthlyUsers {
  const { accounts, clock, limit } = options;
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    async isFull() {
      if (limit === undefined) return false;
      const now = clock.now();
      if (now - fullAt < FULL_MS) return true;
      const full = (await countActiveUsers(accounts, now - MONTH_MS)) >= limit;
      if (full) fullAt = now;
      return full;
    },
  };
}
