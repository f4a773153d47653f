import { z } from 'zod';
import { settings } from '../setting.ts';

/** Profiles of users. */
export const profiles = z.strictObject({
  require_auth: z.boolean().default(false).register(settings, {
    governs:
      'Whether display names and avatars can be read with an access token only, of any user or guest. Otherwise they are public',
  }),
});
