import { type Meters, remembered, TOTALS_KEPT_MS } from '@steward/telemetry';
import type { Deps } from '../deps.ts';

/** Adds the number of messages that wait for their devices to the metrics. */
export function meterDeviceMessages(
  { deviceMessages }: Pick<Deps, 'deviceMessages'>,
  meters: Pick<Meters, 'gauge'>,
): void {
  const waiting = remembered(() => deviceMessages.countDocuments({ received_ts: 0 }), {
    keptMs: TOTALS_KEPT_MS,
  });
  meters.gauge('steward_device_messages_waiting').from(async () => [{ labels: {}, value: await waiting() }]);
}
