import { z } from 'zod';
import { settings } from '../setting.ts';

/** Longer than any client waits for an answer. */
const LONGEST_PAUSE_MS = 60_000;

const pause = (end: string, defaultMs: number) =>
  z
    .int()
    .min(0)
    .max(LONGEST_PAUSE_MS)
    .default(defaultMs)
    .register(settings, {
      governs: `The ${end} pause before a shadow-banned user is told that what reaches nobody was done, in milliseconds`,
    });

/** What shadow-banned users notice. */
export const shadowBan = z.strictObject({
  pause_min_ms: pause('shortest', 1_000),
  pause_max_ms: pause('longest', 10_000),
});
