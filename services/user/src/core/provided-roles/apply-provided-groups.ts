import { isDeepStrictEqual } from 'node:util';
import type { HandlerContext } from '@connectrpc/connect';
import { recordCall } from '@steward/audit';
import { headers } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import { changeMemberships } from '../groups/change-memberships.ts';
import type { Account } from '../model/account.ts';
import { causedBy } from '../model/cause.ts';
import { groupNameKey, MAX_GROUPS_OF_ACCOUNT } from '../model/group.ts';
import type { LoginToken } from '../model/login-token.ts';
import { rightsOf } from '../roles/account-rights.ts';
import { ADMIN_ROLE } from '../roles/built-in-roles.ts';
import { beyondLimit } from '../roles/limited-rights.ts';
import { providerSource, withSource } from '../roles/membership-sources.ts';

/**
 * Puts an account into the groups that an identity provider names, and ends the memberships that it named before, with what follows.
 * Memberships by others stay. Groups that do not exist are left out, and those that give scopes beyond the limit of the credential: the
 * caller with fewer rights who set it would gain them. The call is recorded in the audit log before a change.
 *
 * @returns the account
 * @throws refuse.unknown when the server would have no active administrator afterwards
 */
export async function applyProvidedGroups(
  deps: Deps,
  account: Account,
  { provided, rights_limit: limit = null }: Pick<LoginToken, 'provided' | 'rights_limit'>,
  context: HandlerContext,
): Promise<Account> {
  const { provider, groups: names = [] } = provided;
  const ids = await groupsWithin(deps, names, limit);
  const source = providerSource(provider);
  const decide = ({ groups = [] }: Account) =>
    withSource(groups, source, ids).slice(0, MAX_GROUPS_OF_ACCOUNT);
  if (isDeepStrictEqual(decide(account), account.groups ?? [])) return account;
  await recordCall(context, { targets: [account._id], details: { provider, groups: [...names] } });
  const origin = {
    ...causedBy(undefined, context.requestHeader.get(headers.traceparent)),
    actor: account._id,
    requestId: context.requestHeader.get(headers.requestId) ?? '',
  };
  const change = { about: ids, decide: async (current: Account) => decide(current), check: () => {} };
  return (await changeMemberships(deps, account._id, origin, change))?.account ?? account;
}

/** The ids of the groups with some names, as far as a limit covers what they give. */
async function groupsWithin(
  deps: Deps,
  names: readonly string[],
  limit: LoginToken['rights_limit'],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const keys = [...new Set(names.map(groupNameKey))];
  const found = await deps.groups.find({ name_key: { $in: keys } }).toArray();
  const within: string[] = [];
  for (const { _id, roles } of found) {
    const admin = roles.includes(ADMIN_ROLE);
    const rights = await rightsOf(deps, { admin, roles: roles.filter((role) => role !== ADMIN_ROLE) });
    if (beyondLimit(rights, limit).length === 0) within.push(_id);
  }
  return within;
}
