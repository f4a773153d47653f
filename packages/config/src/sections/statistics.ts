import { z } from 'zod';
import { settings } from '../setting.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Long enough to compare a quarter of a year. */
const RETENTION_MS = 90 * DAY_MS;

/** The figures of the server over time. */
export const statistics = z.strictObject({
  retention_ms: z.int().min(DAY_MS).default(RETENTION_MS).register(settings, {
    governs:
      'The retention time of the figures of each hour, in milliseconds: of how many accounts, rooms and reports there were, and of what happened. At least a day',
  }),
});
