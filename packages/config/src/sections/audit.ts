import { z } from 'zod';
import { settings } from '../setting.ts';

/** Half a year. */
const RETENTION_MS = 180 * 24 * 60 * 60 * 1_000;

/** The log of what administrators have done. */
export const audit = z.strictObject({
  retention_ms: z.int().positive().default(RETENTION_MS).register(settings, {
    governs: 'How long an entry of the audit log is kept, in milliseconds',
  }),
});
