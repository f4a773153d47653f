import { collectDefaultMetrics, Registry } from 'prom-client';
import { createMeters } from './meters/create-meters.ts';
import type { Meters, NameOf } from './meters/meters.ts';

/** What runs in a process. */
export interface Build {
  /** The program, for example `steward-user`. */
  readonly program: string;
  readonly release: string;
}

/** The metrics of a process. */
export interface Metrics extends Meters {
  /** The media type of `render`. */
  readonly contentType: string;
  /** All metrics in the text format of Prometheus. Never fails. */
  render(): Promise<string>;
  /** The series of a gauge, as of now; none if the process has none of them or they cannot be read. */
  read(name: NameOf<'gauge'>): Promise<readonly Series[]>;
}

/** A value of a gauge, and its labels. */
export interface Series {
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly value: number;
}

/**
 * Gauges of the library that are named like counters, which `promtool check metrics` refuses. Each is the sum of another one over
 * its labels: `nodejs_active_handles` and so on.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Creates metrics with their own registry, which includes those of the process and of Node.js. */
export function createMetrics(build: Build): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const meters = createMeters(registry);
  const info = { ...build, runtime: process.version };
  meters.gauge('steward_build_info').from(() => [{ labels: info, value: 1 }]);
  return {
    ...meters,
    contentType: registry.contentType,
    render: () => registry.metrics(),
    read: async (name) => (await registry.getSingleMetric(name)?.get())?.values ?? [],
  };
}
