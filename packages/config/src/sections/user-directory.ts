import { z } from 'zod';
import { settings } from '../setting.ts';

/** The user directory. */
export const userDirectory = z.strictObject({
  enabled: z.boolean().default(true).register(settings, {
    governs: 'Whether users can search for each other. If not, searches return no users',
  }),
  search_all_users: z.boolean().default(false).register(settings, {
    governs:
      'Whether searches return all users, not only those in public rooms and in rooms shared with the searcher',
  }),
  show_locked_users: z.boolean().default(false).register(settings, {
    governs: 'Whether searches return locked users',
  }),
});
