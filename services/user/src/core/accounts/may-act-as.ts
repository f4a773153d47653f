import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { hasScope } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { RightsLimit } from '../model/rights-limit.ts';
import { covers, rightsOf } from '../roles/account-rights.ts';
import { withinLimit } from '../roles/limited-rights.ts';
import { isActive } from './administrators.ts';

/**
 * Whether an account may act as another one now: it has the scope, no flag shuts it out, and the other account has
 * no scope that it does not have. Nobody acts as an account that acts for the server.
 *
 * @param limit what limits its rights
 */
export async function mayActAs(
  deps: Pick<Deps, 'roles' | 'serverName' | 'settings'>,
  owner: Account,
  account: Account,
  limit: RightsLimit = null,
): Promise<boolean> {
  if (!isActive(deps, owner) || account.acts_for_server) return false;
  const rights = withinLimit(await rightsOf(deps, owner), limit);
  return hasScope(rights, Scope.USERS_IMPERSONATE) && covers(deps, rights, account);
}
