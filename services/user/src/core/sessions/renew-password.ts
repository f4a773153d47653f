import { toRefusal } from '@steward/errors';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import type { Deps } from '../deps.ts';
import { type Account, withDerived } from '../model/account.ts';
import { isImportedHash } from '../model/password-hash.ts';

const TOO_MANY_REQUESTS = 429;

/**
 * Hashes a password that was verified with a hash of another server with the scheme of this one, and stores that, unless the
 * password was changed meanwhile. While too much waits to be hashed, the account keeps its hash until the next time.
 *
 * @param by the user or the address that causes the work
 * @returns the account as it is stored
 */
export async function renewPassword<T extends Pick<Account, '_id' | 'password_hash'>>(
  deps: Deps,
  account: T,
  password: string,
  by: string,
): Promise<T> {
  const former = account.password_hash;
  if (!isImportedHash(former)) return account;
  const renewed = await deps.passwords.hash(password, by).catch((error: unknown) => {
    if (toRefusal(error).status === TOO_MANY_REQUESTS) return undefined;
    throw error;
  });
  if (renewed === undefined) return account;
  const stored = await accountAggregate.change(deps, account._id, (current) => {
    if (current.password_hash !== former) return undefined;
    const { password_scheme: scheme = null } = withDerived({ ...current, password_hash: renewed });
    return { set: { password_hash: renewed, password_scheme: scheme } };
  });
  return stored?.document.password_hash === renewed ? { ...account, password_hash: renewed } : account;
}
