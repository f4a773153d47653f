import { z } from 'zod';
import { settings } from '../setting.ts';

/** Who may create accounts. */
export const registration = z.strictObject({
  shared_secret: z.string().optional().register(settings, {
    secret: true,
    governs:
      'The shared secret for creating accounts through the admin API. An empty value in the file or the overrides disables it',
    env: 'STEWARD_REGISTRATION_SHARED_SECRET',
  }),
  shared_secret_file: z.string().min(1).optional().register(settings, {
    governs:
      'A file that contains the shared secret; trailing white space is ignored. Excludes `registration.shared_secret`',
    env: 'STEWARD_REGISTRATION_SHARED_SECRET_FILE',
  }),
  enabled: z.boolean().default(false).register(settings, {
    governs: 'Whether users may register accounts themselves',
    env: 'STEWARD_ENABLE_REGISTRATION',
  }),
  requires_token: z.boolean().default(false).register(settings, {
    governs: 'Whether users need a registration token to register',
  }),
  require_approval: z.boolean().default(false).register(settings, {
    governs:
      'Whether an account that a user registers can be used only after an administrator has approved it. Guests need no approval',
  }),
  guests: z.boolean().default(false).register(settings, {
    governs: 'Whether guests are admitted',
  }),
  inhibit_user_in_use: z.boolean().default(false).register(settings, {
    governs:
      'Whether every username is reported as available, so that callers cannot find out which accounts exist',
  }),
});
