import { refuse } from '@steward/errors';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { failureKey, holderOfName, loginName, type Naming } from './login-name.ts';
import { renewPassword } from './renew-password.ts';
import { requireSignIn } from './require-sign-in.ts';
import { keyAt, type LoginPlace, tryLogin } from './try-login.ts';

/**
 * The account that a request names, whose password it knows and which may log in (client-plane.md 7.2). The response to a wrong
 * name or password is always the same and takes the same time, so that it does not reveal which accounts exist.
 *
 * @param address the address of the client, see `clientAddress`
 * @throws limitExceeded, refuse.forbidden, refuse.userLocked, awaitingApproval, monthlyUsersExceeded, and as `loginName`
 */
export async function passLogin(
  deps: Deps,
  naming: Naming,
  password: string,
  address: string,
  place: LoginPlace,
): Promise<Account> {
  deps.limits.loginAddress.take(keyAt(place, address));
  const name = loginName(deps, naming);
  const userId = await holderOfName(deps, name);
  const account = userId === undefined ? undefined : await accountAggregate.load(deps, userId);
  const hash = account?.password_hash ?? null;
  const login = { place, key: failureKey(name), userId: account?._id, network: address };
  const matches = await tryLogin(deps, login, () => deps.passwords.verifyLogin(hash, password, address));
  if (!account || !matches || account.deactivated) {
    deps.counts.add('failed_sign_ins');
    throw refuse.forbidden('Invalid user name or password');
  }
  await renewPassword(deps, account, password, address);
  await requireSignIn(deps, account);
  return account;
}
