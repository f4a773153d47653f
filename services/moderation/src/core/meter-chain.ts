import { type Meters, remembered, TOTALS_KEPT_MS } from '@steward/telemetry';
import { oldestUnchained } from './chain/append-entries.ts';
import { loadChain } from './chain/audit-chain-aggregate.ts';
import type { ChainDeps } from './chain/chain-deps.ts';

const MS_PER_SECOND = 1_000;

/** Adds the length of the hash chain, and how far it is behind, to the metrics. */
export function meterChain(deps: ChainDeps, meters: Pick<Meters, 'gauge'>): void {
  const read = remembered(
    async () => ({ chain: await loadChain(deps), oldest: await oldestUnchained(deps) }),
    { keptMs: TOTALS_KEPT_MS },
  );
  meters
    .gauge('steward_audit_chain_entries')
    .from(async () => [{ labels: {}, value: (await read()).chain?.number ?? 0 }]);
  meters.gauge('steward_audit_unchained_seconds').from(async () => {
    const { oldest } = await read();
    const age = oldest ? deps.clock.now() - oldest.ts : 0;
    return [{ labels: {}, value: Math.max(0, age) / MS_PER_SECOND }];
  });
}
