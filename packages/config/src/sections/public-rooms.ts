import { z } from 'zod';
import { settings } from '../setting.ts';

/** The directory of public rooms. */
export const publicRooms = z.strictObject({
  enabled: z.boolean().default(true).register(settings, {
    governs:
      'Whether rooms can be put into the directory, and found there. When not, every search finds none',
  }),
  require_auth: z.boolean().default(false).register(settings, {
    governs: 'Whether one must be logged in to see the directory',
  }),
});
