import type { Meters } from '@steward/telemetry';
import type { MongoClient } from 'mongodb';

/** Adds the connections of a client to the metrics. */
export function meterPool(client: MongoClient, meters: Pick<Meters, 'gauge'>): void {
  let open = 0;
  let inUse = 0;
  let awaited = 0;
  client.on('connectionCreated', () => open++);
  client.on('connectionClosed', () => open--);
  client.on('connectionCheckOutStarted', () => awaited++);
  client.on('connectionCheckOutFailed', () => awaited--);
  client.on('connectionCheckedOut', () => {
    awaited--;
    inUse++;
  });
  client.on('connectionCheckedIn', () => inUse--);
  meters.gauge('steward_store_connections').from(() => [
    { labels: { state: 'in_use' }, value: inUse },
    { labels: { state: 'idle' }, value: Math.max(0, open - inUse) },
    { labels: { state: 'awaited' }, value: awaited },
  ]);
}
