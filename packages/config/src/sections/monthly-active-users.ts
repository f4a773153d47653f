import { z } from 'zod';
import { settings } from '../setting.ts';

/** The limit of monthly active users. */
export const monthlyActiveUsers = z.strictObject({
  enabled: z.boolean().default(false).register(settings, {
    governs: 'Whether the number of monthly active users is limited',
  }),
  limit: z.int().min(0).default(0).register(settings, {
    governs:
      'The maximum number of monthly active users: users seen within 30 days, except guests and support accounts. Once it is reached, further users cannot log in, register, create or join rooms, or send events',
  }),
  admin_contact: z.string().min(1).optional().register(settings, {
    governs:
      'The contact named in refusals due to the limit, as a URI, for example `mailto:admin@example.org`',
  }),
});
