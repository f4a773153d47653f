import { z } from 'zod';
import { settings } from '../setting.ts';

/** Longer than any client waits for a response. */
const LONGEST_PAUSE_MS = 60_000;

const pause = (end: string, defaultMs: number) =>
  z
    .int()
    .min(0)
    .max(LONGEST_PAUSE_MS)
    .default(defaultMs)
    .register(settings, {
      governs: `The ${end} delay before a shadow-banned user's discarded request is answered as a success, in milliseconds`,
    });

/** The responses that shadow-banned users receive. */
export const shadowBan = z.strictObject({
  pause_min_ms: pause('shortest', 1_000),
  pause_max_ms: pause('longest', 10_000),
});
