import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { compareCodePoints } from '@steward/kernel';
import type { Planned } from '@steward/plans';
import type { SetAccountRolesRequest } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { headers, requester } from '@steward/rpc';
import { changeAccount, type Decision } from '../../core/accounts/change-account.ts';
import { localUser } from '../../core/accounts/local-user.ts';
import { accountChangePlan } from '../../core/accounts/plan-account-change.ts';
import type { Deps } from '../../core/deps.ts';
import type { Account } from '../../core/model/account.ts';
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
export async function setAccountRoles(deps: Deps, request: SetAccountRolesRequest, context: HandlerContext) {
  const decide = decision(deps, request, context);
  const cause = causedBy(requester(context), context.requestHeader.get(headers.traceparent));
  let given: readonly string[] = [];
  const changed = await changeAccount(deps, request.userId, cause, async (account) => {
    const decided = await decide(account);
    given = decided.given;
    return decided;
  });
  if (!changed) throw refuse.notFound('User not found');
  for (const reference of given) await requireKeptRole(deps, reference);
  return { ...(await toAccountRoles(deps, changed)), rightsPending: await pendingRights(deps, changed) };
}

/** Plans `setAccountRoles`. */
export async function planSetAccountRoles(
  deps: Deps,
  request: SetAccountRolesRequest,
  context: HandlerContext,
): Promise<Planned> {
  const plan = await accountChangePlan(deps, request.userId, decision(deps, request, context));
  if (!plan) throw refuse.notFound('User not found');
  return plan;
}

/** A decision, and how the account then refers to its roles. */
interface RolesDecision extends Decision {
  readonly given: readonly string[];
}

function decision(
  deps: Deps,
  { userId, roles: requested }: SetAccountRolesRequest,
  context: HandlerContext,
): (account: Account) => Promise<RolesDecision> {
  const user = localUser(deps, userId);
  const names = new Set(requested);
  const admin = names.delete(ADMIN_ROLE);
  if (names.size > MAX_ROLES_OF_ACCOUNT)
    throw refuse.invalidParam(`An account has at most ${MAX_ROLES_OF_ACCOUNT} roles besides '${ADMIN_ROLE}'`);
  const caller = requester(context);
  return async (account) => {
    const references = await roleReferences(deps, names);
    const unknown = [...names].find((name) => !references.has(name));
    if (unknown !== undefined) throw refuse.invalidParam(`There is no role '${unknown}'`);
    if (account.admin && !admin && caller.userId === user.id)
      throw refuse.unknown('You cannot demote yourself');
    const given = [...references.values()].sort(compareCodePoints);
    await requireAuthority(deps, caller, account);
    await requireAuthority(deps, caller, { admin, roles: given });
    // An account without roles keeps the document that it has without this field.
    const roles = given.length > 0 || account.roles ? { roles: given } : {};
    return { set: { admin, ...roles }, effects: [], given };
  };
}
