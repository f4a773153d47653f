import { z } from 'zod';
import { settings } from '../setting.ts';

/** The longest password that any request may carry, in characters. */
const MAX_PASSWORD_CHARS = 512;

const required = (what: string) =>
  z
    .boolean()
    .default(false)
    .register(settings, { governs: `Whether a password needs ${what}` });

/** Logging in with a password. */
export const passwords = z.strictObject({
  enabled: z.boolean().default(true).register(settings, {
    governs: 'Whether logging in with a password is possible',
  }),
  localdb_enabled: z.boolean().default(true).register(settings, {
    governs: 'Whether passwords are kept by this server. When not, nobody can set one',
  }),
  policy: z
    .strictObject({
      minimum_length: z.int().min(0).max(MAX_PASSWORD_CHARS).default(0).register(settings, {
        governs: 'The least number of characters of a password that somebody chooses for themselves',
      }),
      require_digit: required('a digit'),
      require_symbol: required('a character that is neither a letter nor a digit'),
      require_lowercase: required('a lower-case letter'),
      require_uppercase: required('an upper-case letter'),
    })
    .prefault({}),
});
