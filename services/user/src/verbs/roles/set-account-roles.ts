import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { compareCodePoints } from '@steward/kernel';
import type { SetAccountRolesRequest } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount } from '../../core/accounts/change-account.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { causedBy } from '../../core/model/cause.ts';
import { MAX_ROLES_OF_ACCOUNT } from '../../core/model/role.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';
import { ADMIN_ROLE } from '../../core/roles/built-in-roles.ts';
import { pendingRights } from '../../core/roles/pending-rights.ts';
import { requireKeptRole } from '../../core/roles/require-kept-role.ts';
import { roleReferences } from '../../core/roles/role-references.ts';
import { toAccountRoles } from './get-account-roles.ts';

/**
 * Replaces the roles of an account. The caller must have all scopes of the account, before and after the change. As with
 * the flag, administrators cannot demote themselves, and the server keeps an active administrator.
 *
 * @throws refuse.tooLate when a role was deleted during the request; the account then has a reference to it, which gives
 * nothing
 */
export async function setAccountRoles(
  deps: Deps,
  { userId, roles: requested }: SetAccountRolesRequest,
  context: HandlerContext,
) {
  const user = localUser(deps, userId);
  const names = new Set(requested);
  const admin = names.delete(ADMIN_ROLE);
  if (names.size > MAX_ROLES_OF_ACCOUNT)
    throw refuse.invalidParam(`An account has at most ${MAX_ROLES_OF_ACCOUNT} roles besides '${ADMIN_ROLE}'`);
  const caller = requester(context);
  const cause = causedBy(caller, context.requestHeader.get(headers.traceparent));
  let given: readonly string[] = [];
  const changed = await changeAccount(deps, user.id, cause, async (account) => {
    const references = await roleReferences(deps, names);
    const unknown = [...names].find((name) => !references.has(name));
    if (unknown !== undefined) throw refuse.invalidParam(`There is no role '${unknown}'`);
    if (account.admin && !admin && caller.userId === user.id)
      throw refuse.unknown('You cannot demote yourself');
    given = [...references.values()].sort(compareCodePoints);
    await requireAuthority(deps, caller, account);
    await requireAuthority(deps, caller, { admin, roles: given });
    // An account without roles keeps the document that it has without this field.
    const roles = given.length > 0 || account.roles ? { roles: given } : {};
    return { set: { admin, ...roles }, effects: [] };
  });
  if (!changed) throw refuse.notFound('User not found');
  for (const reference of given) await requireKeptRole(deps, reference);
  return { ...(await toAccountRoles(deps, changed)), rightsPending: await pendingRights(deps, changed) };
}
