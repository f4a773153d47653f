import { type Meters, remembered } from '@steward/telemetry';
import type { Deps } from './deps.ts';

/** How long the total is kept, in milliseconds. */
const KEPT_MS = 5 * 60_000;

/** Adds the total of media to the metrics. */
export function meterMedia({ media }: Pick<Deps, 'media'>, meters: Pick<Meters, 'gauge'>): void {
  const total = remembered(() => media.countDocuments({}), { keptMs: KEPT_MS });
  meters.gauge('steward_media_files').from(async () => [{ labels: {}, value: await total() }]);
}
