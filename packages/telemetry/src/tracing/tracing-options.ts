import type { Random } from '@steward/kernel';
import type { Logger } from '../create-logger.ts';
import type { Meters } from '../meters/meters.ts';

/** What the tracing of a process needs. */
export interface TracingOptions {
  /** The name of the process. */
  readonly name: string;
  /** The name of the server that the process belongs to. */
  readonly serverName: string;
  /** The release that runs. */
  readonly release: string;
  readonly settings: {
    /** The URL of the collector; nothing is recorded without it. */
    readonly endpoint?: string | undefined;
    /** Headers of requests to the collector, one a line. */
    readonly headers?: string | undefined;
    /** The part of the requests that is recorded, from 0 to 1. */
    readonly ratio: number;
    /** Whether the flag of a request that has a trace context decides in place of the ratio. */
    readonly follow_callers: boolean;
  };
  readonly logger: Pick<Logger, 'warn'>;
  readonly meters: Meters;
  readonly random: Random;
}
