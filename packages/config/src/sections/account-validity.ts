import { z } from 'zod';
import { settings } from '../setting.ts';

/** 30 days. */
const DEFAULT_PERIOD_MS = 2_592_000_000;

/** The expiry of accounts. */
export const accountValidity = z.strictObject({
  enabled: z.boolean().default(false).register(settings, {
    governs:
      'Whether accounts are refused after the expiry date that an administrator set. Accounts without an expiry date never expire',
  }),
  period_ms: z.int().min(1).default(DEFAULT_PERIOD_MS).register(settings, {
    governs: 'The validity period of an account that an administrator renews without a date, in milliseconds',
  }),
});
