import type { Meters } from '@steward/telemetry';

/** What the gateway holds now. */
export interface Held {
  readonly connections: () => number;
  readonly working: () => number;
  readonly queued: () => number;
  readonly longPolls: () => number;
  readonly bodies: () => number;
  readonly bodyBytes: () => number;
  readonly unsentBytes: () => number;
}

/** Adds gauges of what the gateway holds to its metrics. */
export function reportAdmission(meters: Pick<Meters, 'gauge'>, held: Held): void {
  meters.gauge('steward_http_requests').from(() => [
    { labels: { state: 'receiving' }, value: held.bodies() },
    { labels: { state: 'queued' }, value: held.queued() },
    { labels: { state: 'working' }, value: held.working() },
    { labels: { state: 'long_poll' }, value: held.longPolls() },
  ]);
  meters.gauge('steward_http_buffered_bytes').from(() => [
    { labels: { part: 'body' }, value: held.bodyBytes() },
    { labels: { part: 'answer' }, value: held.unsentBytes() },
  ]);
  meters.gauge('steward_http_connections').from(() => [{ labels: {}, value: held.connections() }]);
}
