import type { DescService } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import type { Random, Tracing } from '@steward/kernel';
import type { Readiness } from '@steward/runtime';
import type { Logger, Metrics } from '@steward/telemetry';

/** The dependencies of the gateway. */
export interface GatewayOptions {
  readonly config: Config;
  /** The transport to a service. */
  readonly transportOf: (service: DescService) => Transport;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Records requests, if any are to be recorded. */
  readonly tracing?: Tracing | undefined;
  readonly random: Random;
  /** What `/health` and the paths below it tell. */
  readonly readiness: Pick<Readiness, 'read'>;
}
