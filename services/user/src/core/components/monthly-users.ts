import type { Clock } from '@steward/kernel';
import type { Collections } from '../collections.ts';
import { flagsOf } from '../model/account.ts';

/** Who was seen so long ago does not count any more, in milliseconds (client-plane.md 8.4). */
export const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** How long it is believed that there is no place, in milliseconds: those who are refused come again. */
const FULL_MS = 1_000;

/** Support accounts do not count, and are never refused. */
export const SUPPORT = 'support';

/** Knows whether as many users are active in a month as may be. */
export interface MonthlyUsers {
  /** Whether nobody else may become active; up to a second old when nobody may. */
  isFull(): Promise<boolean>;
}

/** Counts who was seen within a month, guests and support accounts aside; no limit means there is always room. */
export function createMonthlyUsers(options: {
  readonly accounts: Pick<Collections['accounts'], 'tally' | 'countDocuments'>;
  readonly clock: Clock;
  readonly limit: number | undefined;
}): MonthlyUsers {
  const { accounts, clock, limit } = options;
  let fullAt = Number.NEGATIVE_INFINITY;
  const countSince = async (since: number) => {
    const facets = [...(await accounts.tally()).keys()].filter((facet) => {
      const flags = flagsOf(facet);
      return !flags.is_guest && flags.user_type !== SUPPORT;
    });
    const counts = await Promise.all(
      facets.map((facet) => accounts.countDocuments({ facet, last_seen_ts: { $gte: since } })),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
  return {
    async isFull() {
      if (limit === undefined) return false;
      const now = clock.now();
      if (now - fullAt < FULL_MS) return true;
      const full = (await countSince(now - MONTH_MS)) >= limit;
      if (full) fullAt = now;
      return full;
    },
  };
}
