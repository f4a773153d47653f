import { z } from 'zod';
import { settings } from '../setting.ts';

/** Metrics. */
export const telemetry = z.strictObject({
  metrics_port: z.int().min(1).max(65_535).optional().register(settings, {
    governs:
      'A separate port for `/metrics`, and for `/health`, `/health/ready` and `/health/live` from the start to the end of the process, which must not be reachable from the public network. Without this port and without `telemetry.metrics_token`, metrics are not served',
    env: 'STEWARD_METRICS_PORT',
  }),
  metrics_token: z.string().min(16).optional().register(settings, {
    secret: true,
    governs:
      'The bearer token that requests of `/metrics` must contain, at least 16 characters. Without `telemetry.metrics_port`, `/metrics` is then served on `server.port` of the gateway',
    env: 'STEWARD_METRICS_TOKEN',
  }),
  metrics_token_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that contains the token for metrics; trailing white space is ignored. Excludes `telemetry.metrics_token`',
    env: 'STEWARD_METRICS_TOKEN_FILE',
  }),
});
