import { z } from 'zod';
import { settings } from '../setting.ts';

/** Who may create accounts. */
export const registration = z.strictObject({
  shared_secret: z.string().optional().register(settings, {
    governs:
      'The secret with which accounts can be created through the admin API. An empty one, in the file or the overrides, makes that impossible',
    env: 'STEWARD_REGISTRATION_SHARED_SECRET',
  }),
  shared_secret_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that holds the shared secret; white space at its end does not count. Not together with `registration.shared_secret`',
    env: 'STEWARD_REGISTRATION_SHARED_SECRET_FILE',
  }),
  enabled: z.boolean().default(false).register(settings, {
    governs: 'Whether people may create accounts themselves',
    env: 'STEWARD_ENABLE_REGISTRATION',
  }),
  requires_token: z.boolean().default(false).register(settings, {
    governs: 'Whether those who create an account themselves need a registration token',
  }),
  guests: z.boolean().default(false).register(settings, {
    governs: 'Whether guests are let in without an account',
  }),
  inhibit_user_in_use: z.boolean().default(false).register(settings, {
    governs:
      'Whether anybody who asks for it is told that a user name is available, whether it is or not, so that nobody learns which accounts exist',
  }),
});
