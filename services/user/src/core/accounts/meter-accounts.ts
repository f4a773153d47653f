import { type Meters, remembered } from '@steward/telemetry';
import type { Deps } from '../deps.ts';
import { flagsOf } from '../model/account.ts';

/** How long the totals are kept, in milliseconds. */
const KEPT_MS = 5 * 60_000;

/** Adds the totals of accounts to the metrics. */
export function meterAccounts({ accounts }: Pick<Deps, 'accounts'>, meters: Pick<Meters, 'gauge'>): void {
  const totals = remembered(
    async () => {
      const counts = { active: 0, guest: 0, deactivated: 0 };
      for (const [facet, count] of await accounts.tally()) {
        const { deactivated, is_guest: isGuest } = flagsOf(facet);
        counts[deactivated ? 'deactivated' : isGuest ? 'guest' : 'active'] += count;
      }
      return counts;
    },
    { keptMs: KEPT_MS },
  );
  meters.gauge('steward_accounts').from(async () => {
    const { active, guest, deactivated } = await totals();
    return [
      { labels: { state: 'active' }, value: active },
      { labels: { state: 'guest' }, value: guest },
      { labels: { state: 'deactivated' }, value: deactivated },
    ];
  });
}
