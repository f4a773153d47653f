import { z } from 'zod';
import { settings } from '../setting.ts';

/** The longest topic; its event holds the text twice, and fits in the largest event whatever the characters are. */
const MAX_TOPIC_LENGTH = 4_096;

const contentUri = () => z.string().regex(/^mxc:\/\/[^/]+\/[^/]+$/, 'must be an mxc:// URI');

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
  adopt_account: z.boolean().default(false).register(settings, {
    governs:
      'Whether the server takes over an existing account with that localpart which it did not make: at the start the account loses its password, addresses, external ids, roles and sessions for good, and no user can log in to it. Without it, no notices are sent while such an account exists',
  }),
  display_name: z.string().default('Server Notices').register(settings, {
    governs: 'The display name of that user',
  }),
  avatar_url: contentUri().optional().register(settings, {
    governs: 'The avatar of that user, as a content URI',
  }),
  room_name: z.string().default('Server Notices').register(settings, {
    governs: 'The name of new rooms in which notices are sent',
  }),
  room_avatar_url: contentUri().optional().register(settings, {
    governs:
      'The avatar of the rooms in which notices are sent, as a content URI; set in existing rooms with the next notice; without a value, rooms keep their avatars',
  }),
  room_topic: z
    .string()
    .max(MAX_TOPIC_LENGTH, `must have at most ${MAX_TOPIC_LENGTH} characters`)
    .optional()
    .register(settings, {
      governs:
        'The topic of the rooms in which notices are sent; set in existing rooms with the next notice; without a value, rooms keep their topics',
    }),
  auto_join: z.boolean().default(false).register(settings, {
    governs:
      'Whether users join the rooms in which notices are sent without accepting the invitation; into existing rooms with the next notice',
  }),
});
