import { z } from 'zod';
import { settings } from '../setting.ts';

/** Half a year. */
const RETENTION_MS = 180 * 24 * 60 * 60 * 1_000;

/** The audit log of administrators' actions. */
export const audit = z.strictObject({
  retention_ms: z.int().positive().default(RETENTION_MS).register(settings, {
    governs: 'The retention time of audit log entries, in milliseconds',
  }),
});
