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

/** Creates metrics with their own registry, which includes those of the process and of Node.js. */
export function createMetrics(build: Build): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
