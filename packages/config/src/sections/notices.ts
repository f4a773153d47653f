import { z } from 'zod';
import { settings } from '../setting.ts';

/** Server notices: messages from the administrators to a user. */
export const notices = z.strictObject({
  enabled: z.boolean().default(false).register(settings, {
    governs: 'Whether administrators can send server notices',
    env: 'STEWARD_SERVER_NOTICES',
  }),
  localpart: z
    .string()
    .regex(/^[a-z0-9._=/+-]+$/, 'must consist of a-z, 0-9 and . _ = / + -')
    .default('notices')
    .register(settings, { governs: 'The localpart of the user that sends the notices' }),
  display_name: z.string().default('Server Notices').register(settings, {
    governs: 'The display name of that user',
  }),
  avatar_url: z
    .string()
    .regex(/^mxc:\/\/[^/]+\/[^/]+$/, 'must be an mxc:// URI')
    .optional()
    .register(settings, { governs: 'The avatar of that user, as a content URI' }),
  room_name: z.string().default('Server Notices').register(settings, {
    governs: 'The name of the rooms in which notices are sent',
  }),
});
