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
  peppers: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[\w-]{1,64}$/, "must consist of letters, digits, '_' and '-'"),
        file: z.string().min(1),
      }),
    )
    .refine((peppers) => new Set(peppers.map(({ name }) => name)).size === peppers.length, {
      error: 'must have different names',
    })
    .default([])
    .register(settings, {
      governs:
        'The peppers of imported password hashes: `name`, as the records of the import have it, and `file`, which contains the pepper; white space at its end is ignored. Needed until everyone with such a hash has logged in once, see [the records](import-records.md#users)',
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
