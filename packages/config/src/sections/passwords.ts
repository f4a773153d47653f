import { z } from 'zod';
import { settings } from '../setting.ts';

/** The maximum length of a password in any request, in characters. */
const MAX_PASSWORD_CHARS = 512;

const required = (what: string) =>
  z
    .boolean()
    .default(false)
    .register(settings, { governs: `Whether a password must contain ${what}` });

/** Logging in with a password. */
export const passwords = z.strictObject({
  enabled: z.boolean().default(true).register(settings, {
    governs: 'Whether users can log in with a password',
  }),
  localdb_enabled: z.boolean().default(true).register(settings, {
    governs:
      'Whether this server stores passwords. If not, no password can be set, and users cannot register; new accounts have none',
  }),
  policy: z
    .strictObject({
      minimum_length: z.int().min(0).max(MAX_PASSWORD_CHARS).default(0).register(settings, {
        governs: 'The minimum length in characters of a password that a user chooses',
      }),
      require_digit: required('a digit'),
      require_symbol: required('a character that is neither a letter nor a digit'),
      require_lowercase: required('a lower-case letter'),
      require_uppercase: required('an upper-case letter'),
    })
    .prefault({}),
});
