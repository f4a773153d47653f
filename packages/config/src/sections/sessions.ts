import { z } from 'zod';
import { settings } from '../setting.ts';
import { roleName } from './role-name.ts';

/** Five minutes: limits the use of a stolen token without making clients renew theirs too often. */
const ACCESS_TOKEN_LIFETIME_MS = 300_000;

/** Half an hour, and half a day: a browser that is left alone, and a working day. */
const ADMIN_IDLE_MS = 30 * 60_000;
const ADMIN_LIFETIME_MS = 12 * 3_600_000;

/** The shortest idle time, of which the last use is recorded often enough. */
const MIN_ADMIN_IDLE_MS = 60_000;

/** Five minutes: enough for several orders after one proof. */
const STEP_UP_MS = 300_000;

/**
 * What cannot be undone, and what gives another credential: with a password that it sets, a session could log in, or prove itself
 * by a password of its own account.
 */
const STEP_UP_SCOPES = [
  'users:credentials',
  'users:impersonate',
  'users:erase',
  'access:write',
  'rooms:delete',
] as const;

/** Access tokens and refresh tokens, and administrator sessions. */
export const sessions = z.strictObject({
  refresh_tokens: z.boolean().default(false).register(settings, {
    governs: 'Whether clients that support it receive an expiring access token and a refresh token',
  }),
  access_token_lifetime_ms: z.int().positive().default(ACCESS_TOKEN_LIFETIME_MS).register(settings, {
    governs: 'The lifetime of an access token that can be renewed, in milliseconds',
  }),
  admin_idle_ms: z.int().min(MIN_ADMIN_IDLE_MS).default(ADMIN_IDLE_MS).register(settings, {
    governs:
      'How long an administrator session may be unused before it ends, in milliseconds. The last use is recorded once a minute (for less than ten minutes: at every tenth of this time), so that a session may end as much earlier',
  }),
  admin_lifetime_ms: z.int().min(MIN_ADMIN_IDLE_MS).default(ADMIN_LIFETIME_MS).register(settings, {
    governs: 'How long an administrator session lasts at most, in milliseconds',
  }),
  step_up_scopes: z
    .array(z.string())
    .default([...STEP_UP_SCOPES])
    .register(settings, {
      governs:
        'The scopes whose calls require a recent proof of identity in an administrator session; see [sessions.md](sessions.md). An unknown scope prevents the start',
    }),
  require_second_factor: z
    .union([z.enum(['off', 'administrators']), z.array(roleName).min(1)])
    .default('off')
    .register(settings, {
      governs:
        'Of whom a second factor is required, see [second-factor.md](second-factor.md#where-it-is-required): `off`, `administrators` (all accounts with administrative rights), or a list of names of roles, of which `admin` stands for server administrators. An account of which it is required has rights in sessions of the console only, once it has enrolled',
    }),
  second_factor_grace_ms: z.int().min(0).default(0).register(settings, {
    governs:
      'How long such an account may use the console before it has enrolled, in milliseconds from its first sign-in to the console at which a second factor was required of it. Counted once for an account',
  }),
  second_factor_key_files: z.array(z.string().min(1)).default([]).register(settings, {
    governs:
      'Files with keys, of 32 random bytes in base64, with which the secrets of authenticator apps are encrypted in the store: the first encrypts, all decrypt. Give all user processes the same ones. Without keys the secrets are stored as they are; see [second-factor.md](second-factor.md#encrypted-secrets)',
    env: 'STEWARD_SECOND_FACTOR_KEY_FILES',
  }),
  step_up_ms: z.int().positive().default(STEP_UP_MS).register(settings, {
    governs: 'How long such a proof counts as recent, in milliseconds',
  }),
});
