import { z } from 'zod';
import { settings } from '../setting.ts';

/** Five minutes: limits the use of a stolen token without making clients renew theirs too often. */
const ACCESS_TOKEN_LIFETIME_MS = 300_000;

/** Access tokens and refresh tokens. */
export const sessions = z.strictObject({
  refresh_tokens: z.boolean().default(false).register(settings, {
    governs: 'Whether clients that support it receive an expiring access token and a refresh token',
  }),
  access_token_lifetime_ms: z.int().positive().default(ACCESS_TOKEN_LIFETIME_MS).register(settings, {
    governs: 'The lifetime of an access token that can be renewed, in milliseconds',
  }),
});
