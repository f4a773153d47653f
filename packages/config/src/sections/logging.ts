import { z } from 'zod';
import { settings } from '../setting.ts';

/** Far above what any request needs on a healthy server. */
const SLOW_MS = 2_000;

/** The log on standard output. */
export const logging = z.strictObject({
  level: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(settings, {
      governs: 'The minimum level of log lines',
      env: 'STEWARD_LOG_LEVEL',
    }),
  access: z.enum(['off', 'errors', 'all']).default('all').register(settings, {
    governs:
      'Which requests have a line in the log of the gateway, at level `info`: all, those with a status of 400 or above, or none. Status 499 says that the connection closed before the end of the answer',
    env: 'STEWARD_LOG_ACCESS',
  }),
  slow_ms: z.int().positive().default(SLOW_MS).register(settings, {
    governs:
      'From which duration, in milliseconds, a request and a call of a service have a line at level `warn`. Long polls, uploads and downloads have none',
  }),
  format: z.enum(['json', 'text']).default('json').register(settings, {
    governs: 'The format of log lines: `json` for machines, `text` for people',
  }),
});
