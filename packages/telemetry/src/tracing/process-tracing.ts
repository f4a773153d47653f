import type { Tracing } from '@steward/kernel';

/** The tracing of a process, with its export. */
export interface ProcessTracing extends Tracing {
  /** Sends what waits, for a second at most, and records nothing afterwards. Never throws. */
  close(): Promise<void>;
}
