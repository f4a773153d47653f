import { z } from 'zod';
import { settings } from '../setting.ts';

/** Metrics. */
export const telemetry = z.strictObject({
  metrics_port: z.int().min(1).max(65_535).optional().register(settings, {
    governs:
      'A separate port for `/metrics`. Without a value, `/metrics` is served on `server.port` to callers on the same machine only',
    env: 'STEWARD_METRICS_PORT',
  }),
});
