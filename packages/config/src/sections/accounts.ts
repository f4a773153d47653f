import { z } from 'zod';
import { settings } from '../setting.ts';

/** The account types that exist in every configuration. */
export const BUILT_IN_USER_TYPES: readonly string[] = ['bot', 'support'];

/** The maximum length of the name of an account type, in characters. */
const MAX_TYPE_CHARS = 64;

/** The maximum of configured types: lists of accounts read one range of an index for each combination of flags and type. */
const MAX_TYPES = 100;

const userType = z
  .string()
  .min(1)
  .refine(
    (type) => [...type].length <= MAX_TYPE_CHARS && !/[\p{Cc}\p{Cs}]/u.test(type),
    `must have at most ${MAX_TYPE_CHARS} characters, none of them a control character`,
  );

/** The maximum of patterns: the localpart of each account is compared with all of them. */
const MAX_PATTERNS = 100;
const MAX_PATTERN_CHARS = 255;

/** What accounts are. */
export const accounts = z
  .strictObject({
    user_types: z
      .array(userType)
      .refine((types) => types.length <= MAX_TYPES, `must have at most ${MAX_TYPES} entries`)
      .default([])
      .register(settings, {
        governs:
          'Account types in addition to `bot` and `support`. Accounts keep a type that is removed from the list, but it cannot be given to others',
      }),
    bridge_patterns: z
      .array(z.string().min(1).max(MAX_PATTERN_CHARS))
      .refine((patterns) => patterns.length <= MAX_PATTERNS, `must have at most ${MAX_PATTERNS} entries`)
      .default([])
      .register(settings, {
        governs:
          'Patterns of the localparts of accounts that belong to bridges, such as `telegram_*`, which `hide_bridges` leaves out of the user lists. `*` matches any characters, `?` one; case is ignored. After a change each user service compares all accounts once in the background, at its start',
      }),
    default_user_type: z.string().optional().register(settings, {
      governs:
        'The type of new accounts for which none is given: `bot`, `support` or one of `accounts.user_types`. It does not apply to imported accounts and to those of the server itself. Without a value, they have no type',
    }),
  })
  .check(({ value, issues }) => {
    const { user_types: added, default_user_type: type } = value;
    const types = [...BUILT_IN_USER_TYPES, ...added];
    if (type === undefined || types.includes(type)) return;
    const message = `must be one of ${types.join(', ')}; add it to accounts.user_types`;
    issues.push({ code: 'custom', path: ['default_user_type'], message, input: type });
  });
