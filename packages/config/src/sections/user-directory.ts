import { z } from 'zod';
import { settings } from '../setting.ts';

/** The search for other users. */
export const userDirectory = z.strictObject({
  enabled: z.boolean().default(true).register(settings, {
    governs: 'Whether users can search for each other. When not, every search finds nobody',
  }),
  search_all_users: z.boolean().default(false).register(settings, {
    governs:
      'Whether a search finds every user, rather than those in public rooms and in rooms shared with the searcher',
  }),
  show_locked_users: z.boolean().default(false).register(settings, {
    governs: 'Whether a search finds locked users',
  }),
});
