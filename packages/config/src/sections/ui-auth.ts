import { z } from 'zod';
import { settings } from '../setting.ts';

/** User-interactive authentication. */
export const uiAuth = z.strictObject({
  session_timeout_ms: z.int().min(0).default(0).register(settings, {
    governs:
      'How long after entering a password a user may delete devices in the same session without entering it again, in milliseconds. 0 always requires it',
  }),
});
