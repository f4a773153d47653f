import { z } from 'zod';
import { settings } from '../setting.ts';

/** Five minutes: a stolen token is soon worth nothing, and clients renew theirs seldom enough. */
const ACCESS_TOKEN_LIFETIME_MS = 300_000;

/** What a login gives. */
export const sessions = z.strictObject({
  refresh_tokens: z.boolean().default(false).register(settings, {
    governs:
      'Whether clients that ask for it get an access token that expires, and a refresh token with which they renew it',
  }),
  access_token_lifetime_ms: z.int().positive().default(ACCESS_TOKEN_LIFETIME_MS).register(settings, {
    governs: 'How long an access token that can be renewed is good, in milliseconds',
  }),
});
