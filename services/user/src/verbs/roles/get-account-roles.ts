import type { GetAccountRolesRequest } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { type RightsHolder, rightsOf, roleNamesOf, scopesIn } from '../../core/roles/account-rights.ts';
import { namesOf } from '../../core/roles/read-scopes.ts';

/** Returns the roles of an account, and their scopes. */
export async function getAccountRoles(deps: Deps, { userId }: GetAccountRolesRequest) {
  return toAccountRoles(deps, await existingAccount(deps, userId));
}

/** The roles of an account, as administrators see them. */
export async function toAccountRoles(
  deps: Deps,
  account: RightsHolder,
): Promise<{ readonly roles: string[]; readonly scopes: string[] }> {
  return {
    roles: await roleNamesOf(deps, account),
    scopes: namesOf(scopesIn(await rightsOf(deps, account))),
  };
}
