import { z } from 'zod';
import { settings } from '../setting.ts';

/** Metrics. */
export const telemetry = z.strictObject({
  metrics_port: z.int().min(1).max(65_535).optional().register(settings, {
    governs:
      'A port of its own for `/metrics`. Without one, metrics are at `/metrics` of `server.port`, for callers on the same machine',
    env: 'STEWARD_METRICS_PORT',
  }),
});
