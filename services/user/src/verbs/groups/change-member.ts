import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { headers, requester } from '@steward/rpc';
import { existingAccount } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { changeMemberships } from '../../core/groups/change-memberships.ts';
import { existingGroup, keptGroup, requireRolesOfGroup } from '../../core/groups/existing-group.ts';
import type { Account } from '../../core/model/account.ts';
import { causedBy } from '../../core/model/cause.ts';
import type { GroupMembership } from '../../core/model/group.ts';
import { requireAuthority } from '../../core/roles/account-rights.ts';

/**
 * Changes whether an account is in a group, for a caller with authority over the account and all scopes of the roles of the group.
 *
 * @param next the memberships of the account afterwards
 * @throws refuse.unknown for an administrator who would lose the flag by their own request
 */
export async function changeMember(
  deps: Deps,
  { id, userId }: { readonly id: string; readonly userId: string },
  context: HandlerContext,
  next: (account: Account, memberships: readonly GroupMembership[]) => readonly GroupMembership[],
): Promise<void> {
  const group = await existingGroup(deps, id);
  const caller = requester(context);
  await requireRolesOfGroup(deps, caller, group);
  await requireAuthority(deps, caller, await existingAccount(deps, userId));
  const origin = {
    ...causedBy(caller, context.requestHeader.get(headers.traceparent)),
    actor: caller.owner,
    requestId: context.requestHeader.get(headers.requestId) ?? '',
  };
  const changed = await changeMemberships(deps, userId, origin, {
    about: [id],
    async decide(account, groups) {
      await requireRolesOfGroup(deps, caller, keptGroup(groups.get(id)));
      await requireAuthority(deps, caller, account);
      return next(account, account.groups ?? []);
    },
    check(before, after) {
      if (before.admin && !after.admin && caller.userId === userId)
        throw refuse.unknown('You cannot demote yourself');
    },
  });
  if (!changed) throw refuse.notFound('User not found');
}
