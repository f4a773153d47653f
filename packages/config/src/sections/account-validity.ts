import { z } from 'zod';
import { settings } from '../setting.ts';

/** 30 days. */
const DEFAULT_PERIOD_MS = 2_592_000_000;

/** How long accounts are valid. */
export const accountValidity = z.strictObject({
  enabled: z.boolean().default(false).register(settings, {
    governs:
      'Whether an account that an administrator gave a date of expiry is refused from then on. Accounts without one never expire',
  }),
  period_ms: z.int().min(1).default(DEFAULT_PERIOD_MS).register(settings, {
    governs:
      'How long an account is valid from when an administrator renews it without a date, in milliseconds',
  }),
});
