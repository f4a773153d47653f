import { type Meters, remembered, TOTALS_KEPT_MS } from '@steward/telemetry';
import type { Deps } from './deps.ts';

/** Adds the total of rooms, and the syncs in progress, to the metrics. */
export function meterRooms(
  { rooms, syncSlots, waiters }: Pick<Deps, 'rooms' | 'syncSlots' | 'waiters'>,
  meters: Pick<Meters, 'gauge'>,
): void {
  const total = remembered(() => rooms.countDocuments({}), { keptMs: TOTALS_KEPT_MS });
  meters.gauge('steward_rooms').from(async () => [{ labels: {}, value: await total() }]);
  meters.gauge('steward_sync_open').from(() => [
    { labels: { state: 'reading' }, value: syncSlots.running },
    { labels: { state: 'queued' }, value: syncSlots.waiting },
    { labels: { state: 'waiting' }, value: waiters.waiting },
  ]);
}
