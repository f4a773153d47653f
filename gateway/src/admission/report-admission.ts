import { Gauge, type Registry } from 'prom-client';

/** What the gateway holds at present. */
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
export function reportAdmission(registry: Registry, held: Held): void {
  const registers = [registry];
  new Gauge({
    name: 'steward_http_requests',
    help: 'Requests by state; an answer that is being sent is in none.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'receiving' }, held.bodies());
      this.set({ state: 'queued' }, held.queued());
      this.set({ state: 'working' }, held.working());
      this.set({ state: 'long_poll' }, held.longPolls());
    },
  });
  new Gauge({
    name: 'steward_http_buffered_bytes',
    help: 'Bytes in memory of request bodies, and of answers that clients have not read.',
    labelNames: ['part'],
    registers,
    collect() {
      this.set({ part: 'body' }, held.bodyBytes());
      this.set({ part: 'answer' }, held.unsentBytes());
    },
  });
  new Gauge({
    name: 'steward_http_connections',
    help: 'Open connections of clients.',
    registers,
    collect() {
      this.set(held.connections());
    },
  });
}
