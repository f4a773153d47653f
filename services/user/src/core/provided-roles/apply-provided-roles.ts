import { isDeepStrictEqual } from 'node:util';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { headers } from '@steward/rpc';
import { changeAccount } from '../accounts/change-account.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { causedBy } from '../model/cause.ts';
import type { LoginToken } from '../model/login-token.ts';
import { rightsOf, roleNamesOf } from '../roles/account-rights.ts';
import { ADMIN_ROLE } from '../roles/built-in-roles.ts';
import { beyondLimit } from '../roles/limited-rights.ts';
import { withProvidedRoles } from '../roles/provided-roles.ts';
import { requireKeptRole } from '../roles/require-kept-role.ts';
import { roleReferences } from '../roles/role-references.ts';

/**
 * Gives an account the roles that an identity provider says its user has, and takes those away that it said before. The call is
 * recorded in the audit log if that changes something, before the change. Roles that do not exist are left out, and those with scopes
 * beyond the limit of the credential: the caller with fewer rights who set it would gain them.
 *
 * @returns the account
 * @throws refuse.unknown when the server would have no active administrator afterwards; refuse.tooLate when a role was deleted during the
 * request
 */
export async function applyProvidedRoles(
  deps: Deps,
  account: Account,
  { provided, rights_limit: limit = null }: Pick<LoginToken, 'provided' | 'rights_limit'>,
  context: HandlerContext,
): Promise<Account> {
  const { provider } = provided;
  const given = await referencesWithin(deps, provided.roles, limit);
  const decide = (current: Account) => withProvidedRoles(current, provider, given);
  const isSame = (current: Account) => {
    const { admin, roles = [], provided_roles = [] } = decide(current);
    return isDeepStrictEqual(
      [admin, roles, provided_roles],
      [current.admin, current.roles ?? [], current.provided_roles ?? []],
    );
  };
  if (isSame(account)) return account;
  const roles = await roleNamesOf(deps, decide(account));
  await recordCall(context, { targets: [account._id], details: { provider, roles, ...groupsOf(provided) } });
  const cause = causedBy(undefined, context.requestHeader.get(headers.traceparent));
  const request_id = context.requestHeader.get(headers.requestId) ?? '';
  const changed = await changeAccount(deps, account._id, cause, async (current) => {
    if (current.deactivated || isSame(current)) return { set: {}, effects: [] };
    const set = decide(current);
    const event = { kind: 'event', event: 'roles_provided', actor: account._id, request_id } as const;
    return { set, effects: [{ ...event, provider, roles: await roleNamesOf(deps, set) }] };
  });
  for (const reference of given) if (reference !== ADMIN_ROLE) await requireKeptRole(deps, reference);
  return changed ?? account;
}

/** How accounts refer to the roles of some names, as far as a limit covers them. */
async function referencesWithin(
  deps: Deps,
  names: readonly string[],
  limit: LoginToken['rights_limit'],
): Promise<readonly string[]> {
  const references = await roleReferences(deps, names);
  const within: string[] = [];
  for (const name of names) {
    const admin = name === ADMIN_ROLE;
    const reference = admin ? ADMIN_ROLE : references.get(name);
    if (reference === undefined) continue;
    const rights = await rightsOf(deps, { admin, roles: admin ? [] : [reference] });
    if (beyondLimit(rights, limit).length === 0) within.push(reference);
  }
  return within;
}

/** The groups that the provider names, for the entry in the audit log. */
function groupsOf({ groups }: LoginToken['provided']): { readonly groups?: string[] } {
  return groups ? { groups: [...groups] } : {};
}
