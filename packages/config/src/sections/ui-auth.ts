import { z } from 'zod';
import { settings } from '../setting.ts';

/** Proving again who one is, beside having a session. */
export const uiAuth = z.strictObject({
  session_timeout_ms: z.int().min(0).default(0).register(settings, {
    governs:
      'For how many milliseconds after giving their password users may delete devices in the same session without giving it again. 0 asks every time',
  }),
});
