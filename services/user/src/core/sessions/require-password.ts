import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { tryPassword } from './try-password.ts';

/**
 * Requires the password of an account from its user, who is logged in. Wrong ones count as failed logins.
 *
 * @throws refuse.forbidden, or limitExceeded
 */
export async function requirePassword(
  deps: Deps,
  { _id: userId, password_hash: hash }: Account,
  password: string,
): Promise<void> {
  const matches = await tryPassword(deps, userId.toLowerCase(), () =>
    deps.passwords.verify(hash, password, userId),
  );
  if (!matches) throw refuse.forbidden('Invalid password');
}
