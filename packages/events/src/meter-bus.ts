import { type Meters, remembered } from '@steward/telemetry';
import type { Bus } from './bus.ts';

/** Adds what a bus has yet to do to the metrics. */
export function meterBus(
  bus: Pick<Bus, 'connected' | 'pending' | 'deadLetters'>,
  meters: Pick<Meters, 'gauge'>,
): void {
  const pending = remembered(() => bus.pending());
  const deadLetters = remembered(() => bus.deadLetters.count());
  meters.gauge('steward_bus_connected').from(() => [{ labels: {}, value: Number(bus.connected) }]);
  meters
    .gauge('steward_bus_consumer_pending')
    .from(async () => [...(await pending())].map(([consumer, value]) => ({ labels: { consumer }, value })));
  meters.gauge('steward_dead_letters').from(async () => [{ labels: {}, value: await deadLetters() }]);
}
