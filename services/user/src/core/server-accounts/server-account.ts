import { refuse } from '@steward/errors';
import { formatUserId } from '@steward/kernel';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';

/** What keeps others out of an account that acts for the server. */
type Credentials = Pick<
  Account,
  'password_hash' | 'threepids' | 'external_ids' | 'second_factor' | 'passkeys' | 'admin' | 'roles'
>;

/** Whether the server uses a name for itself, whether or not the feature is on that needs it. Names are compared as those of new accounts are. */
export function isReservedName({ settings }: Pick<Deps, 'settings'>, localpart: string): boolean {
  return settings.reservedLocalparts.includes(localpart.toLowerCase());
}

/** @throws refuse.userInUse for a name that the server uses for itself */
export function refuseReservedName(deps: Pick<Deps, 'settings'>, localpart: string): void {
  if (isReservedName(deps, localpart)) throw refuse.userInUse('The server uses this user name for itself');
}

/** Whether an account acts for the server, or has the name of one that does. */
export function isServerAccount(
  { settings, serverName }: Pick<Deps, 'settings' | 'serverName'>,
  { _id, acts_for_server }: Partial<Pick<Account, '_id' | 'acts_for_server'>>,
): boolean {
  const ids = settings.reservedLocalparts.map((localpart) => formatUserId(localpart, serverName));
  return acts_for_server === true || ids.some((id) => id === _id);
}

/** Whether nobody can log in to an account, and it has no rights. */
export function hasNoCredentials(account: Credentials): boolean {
  const { password_hash, threepids, external_ids, second_factor, passkeys = [], admin, roles = [] } = account;
  const lists = [threepids, external_ids, passkeys, roles];
  return password_hash === null && !second_factor && !admin && lists.every(({ length }) => length === 0);
}

/** @throws refuse.forbidden for an account that acts for the server and has a credential or a right */
export function refuseCredentials(account: Credentials & Pick<Account, 'acts_for_server'>): void {
  if (!account.acts_for_server || hasNoCredentials(account)) return;
  throw refuse.forbidden(
    'This account acts for the server: it has no password, address, external id or role, and no user can log in to it',
  );
}
