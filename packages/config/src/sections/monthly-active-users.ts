import { z } from 'zod';
import { settings } from '../setting.ts';

/** The limit on how many users are active in a month. */
export const monthlyActiveUsers = z.strictObject({
  enabled: z.boolean().default(false).register(settings, {
    governs: 'Whether the number of users who are active in a month is limited',
  }),
  limit: z.int().min(0).default(0).register(settings, {
    governs:
      'How many users may be active in a month: who was seen within 30 days counts, guests and support accounts do not. Beyond it nobody else can log in, register, create or join rooms, or send',
  }),
  admin_contact: z.string().min(1).optional().register(settings, {
    governs: 'Where those turn to who are refused for it, as a URI, for example `mailto:admin@example.org`',
  }),
});
