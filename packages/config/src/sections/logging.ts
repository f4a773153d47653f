import { z } from 'zod';
import { settings } from '../setting.ts';

/** The log on standard output. */
export const logging = z.strictObject({
  level: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(settings, {
      governs: 'The least severe level that is logged',
      env: 'STEWARD_LOG_LEVEL',
    }),
  format: z.enum(['json', 'text']).default('json').register(settings, {
    governs: 'The form of a line: `json` for machines, `text` for people',
  }),
});
