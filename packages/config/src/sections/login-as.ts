import { z } from 'zod';
import { settings } from '../setting.ts';

/** Tokens with which administrators act as other users. */
export const loginAs = z.strictObject({
  max_lifetime_ms: z.int().positive().optional().register(settings, {
    governs:
      'The longest lifetime of a token with which an administrator acts as another user, in milliseconds. It also applies to tokens that exist already, and to those for which a later expiry or none was requested. Without a value, such a token is valid until its requested expiry',
  }),
});
