import { z } from 'zod';
import { settings } from '../setting.ts';

/** An hour: what was changed by hand is not left for long, and most runs find nothing to do. */
const INTERVAL_MS = 3_600_000;

/** A day: as long as ended tasks are kept. */
const MAX_INTERVAL_MS = 86_400_000;

/** Groups of accounts. */
export const groups = z.strictObject({
  interval_ms: z.int().min(60_000).max(MAX_INTERVAL_MS).default(INTERVAL_MS).register(settings, {
    governs:
      'How often the members of all groups are compared with what the groups say, in milliseconds, at most a day. Changes of groups and of their members have effect at once',
  }),
});
