import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { renewPassword } from './renew-password.ts';
import { tryPassword } from './try-password.ts';

/** The key under which wrong passwords of callers are counted who have a credential of the account. */
export function proofFailureKey({ _id: userId }: Pick<Account, '_id'>): string {
  return `proof ${userId}`;
}

/**
 * Requires the password of an account from its user, who has a credential. Wrong ones are limited like failed logins and
 * counted apart from them, so that strangers who fail to log in do not prevent it.
 *
 * @returns the account as it is stored: with another hash if this one is of another server, see `renewPassword`
 * @throws refuse.forbidden, or limitExceeded
 */
export async function requirePassword<T extends Pick<Account, '_id' | 'password_hash'>>(
  deps: Deps,
  account: T,
  password: string,
): Promise<T> {
  const matches = await tryPassword(deps, proofFailureKey(account), () =>
    deps.passwords.verify(account.password_hash, password, account._id),
  );
  if (!matches) throw refuse.forbidden('Invalid password');
  return renewPassword(deps, account, password, account._id);
}
