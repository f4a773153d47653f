import { type Meters, remembered, TOTALS_KEPT_MS } from '@steward/telemetry';
import type { Deps } from '../deps.ts';
import { flagsOf } from '../model/account.ts';

const BCRYPT = 'bcrypt';

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
    { keptMs: TOTALS_KEPT_MS },
  );
  const imported = remembered(() => accounts.countDocuments({ password_scheme: BCRYPT }), {
    keptMs: TOTALS_KEPT_MS,
  });
  meters
    .gauge('steward_accounts_imported_passwords')
    .from(async () => [{ labels: { scheme: BCRYPT }, value: await imported() }]);
  meters.gauge('steward_accounts').from(async () => {
    const { active, guest, deactivated } = await totals();
    return [
      { labels: { state: 'active' }, value: active },
      { labels: { state: 'guest' }, value: guest },
      { labels: { state: 'deactivated' }, value: deactivated },
    ];
  });
}
