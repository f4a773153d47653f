import { z } from 'zod';
import { settings } from '../setting.ts';

/** Longer than most receivers are away. */
const RETENTION_MS = 30 * 24 * 60 * 60 * 1_000;

/** The feed of events. */
export const feed = z.strictObject({
  retention_ms: z.int().positive().default(RETENTION_MS).register(settings, {
    governs:
      'The retention time of events of the feed, in milliseconds. A reader that was away for longer must begin again',
  }),
});
