import { type Meters, remembered, TOTALS_KEPT_MS } from '@steward/telemetry';
import type { Deps } from './deps.ts';

/** Adds the total of media to the metrics. */
export function meterMedia({ media }: Pick<Deps, 'media'>, meters: Pick<Meters, 'gauge'>): void {
  const total = remembered(() => media.countDocuments({}), { keptMs: TOTALS_KEPT_MS });
  meters.gauge('steward_media_files').from(async () => [{ labels: {}, value: await total() }]);
}
