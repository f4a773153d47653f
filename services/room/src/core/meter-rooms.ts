import { type Meters, remembered } from '@steward/telemetry';
import type { Deps } from './deps.ts';

/** How long the total is kept, in milliseconds. */
const KEPT_MS = 5 * 60_000;

/** Adds the total of rooms, and the syncs in progress, to the metrics. */
export function meterRooms(
  { rooms, syncSlots, waiters }: Pick<Deps, 'rooms' | 'syncSlots' | 'waiters'>,
  meters: Pick<Meters, 'gauge'>,
): void {
  const total = remembered(() => rooms.countDocuments({}), { keptMs: KEPT_MS });
  meters.gauge('steward_rooms').from(async () => [{ labels: {}, value: await total() }]);
  meters.gauge('steward_sync_open').from(() => [
    { labels: { state: 'reading' }, value: syncSlots.running },
    { labels: { state: 'queued' }, value: syncSlots.waiting },
    { labels: { state: 'waiting' }, value: waiters.waiting },
  ]);
}
