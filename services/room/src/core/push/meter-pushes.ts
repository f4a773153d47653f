import type { Clock } from '@steward/kernel';
import type { Meters } from '@steward/telemetry';
import type { PushSender } from './push-sender.ts';

/** Adds what waits to be pushed to the metrics. */
export function meterPushes(sender: PushSender, clock: Clock, meters: Pick<Meters, 'gauge'>): void {
  meters.gauge('steward_push_queues').from(() => [{ labels: {}, value: sender.backlog().queues }]);
  meters.gauge('steward_push_lag_seconds').from(() => {
    const now = clock.now();
    return [{ labels: {}, value: Math.max(0, now - (sender.backlog().since ?? now)) / 1_000 }];
  });
}
