import type { DescService } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import type { Config } from '@steward/config';
import type { Random } from '@steward/kernel';
import type { Logger, Metrics } from '@steward/telemetry';

/** What the gateway stands on. */
export interface GatewayOptions {
  readonly config: Config;
  /** How a service is reached. */
  readonly transportOf: (service: DescService) => Transport;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
  /** Whether everything behind the gateway can be used. */
  readonly healthy: () => Promise<boolean>;
}
