import { z } from 'zod';
import { settings } from '../setting.ts';

/** The directory of public rooms. */
export const publicRooms = z.strictObject({
  enabled: z.boolean().default(true).register(settings, {
    governs:
      'Whether the directory of public rooms is available. If not, no room can be added, and searches return no rooms',
  }),
  require_auth: z.boolean().default(false).register(settings, {
    governs: 'Whether reading the directory and summaries of rooms requires an access token',
  }),
});
