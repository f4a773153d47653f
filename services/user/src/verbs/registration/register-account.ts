import { refuse } from '@steward/errors';
import { Conflict } from '@steward/store';
import { createAccount } from '../../core/accounts/change-account.ts';
import { checkUsername } from '../../core/accounts/username.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account, NewAccount } from '../../core/model/account.ts';
import type { AccountEffect } from '../../core/model/account-effect.ts';
import type { Cause } from '../../core/model/cause.ts';

/**
 * Creates the account of a user name, which is lower-cased first.
 *
 * @throws refuse.invalidUsername or refuse.userInUse
 */
export async function registerAccount(
  deps: Deps,
  init: { readonly username: string } & Pick<
    NewAccount,
    'displayname' | 'password_hash' | 'admin' | 'user_type' | 'awaits_approval'
  >,
  cause: Cause,
  effects: readonly AccountEffect[] = [],
): Promise<Account> {
  const { username, ...fields } = init;
  const localpart = username.toLowerCase();
  await checkUsername(deps, localpart);
  try {
    return await createAccount(deps, { localpart, ...fields }, cause, effects);
  } catch (error) {
    if (error instanceof Conflict) throw refuse.userInUse('This user name is taken');
    throw error;
  }
}
