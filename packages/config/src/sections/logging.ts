import { z } from 'zod';
import { settings } from '../setting.ts';

/** The log on standard output. */
export const logging = z.strictObject({
  level: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(settings, {
      governs: 'The minimum level of log lines',
      env: 'STEWARD_LOG_LEVEL',
    }),
  format: z.enum(['json', 'text']).default('json').register(settings, {
    governs: 'The format of log lines: `json` for machines, `text` for people',
  }),
});
