import type { ListGroupMembersRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { existingGroup } from '../../core/groups/existing-group.ts';
import type { Account } from '../../core/model/account.ts';
import { pageSize } from './page-size.ts';

/** Returns a page of the members of a group. */
export async function listGroupMembers(deps: Deps, { id, from, limit }: ListGroupMembersRequest) {
  await existingGroup(deps, id);
  const { members, ...page } = await pageOfMembers(deps, id, { from, limit: pageSize(limit) });
  return {
    members: members.map(({ _id: userId, displayname, groups = [] }) => ({
      userId,
      ...(displayname === null ? {} : { displayname }),
      by: [...(groups.find((membership) => membership.id === id)?.by ?? [])],
    })),
    ...page,
  };
}

/** A page of the accounts in a group, in ascending order of their ids. */
export async function pageOfMembers(
  deps: Deps,
  id: string,
  { from, limit }: { readonly from: string | undefined; readonly limit: number },
): Promise<{ readonly members: readonly Account[]; readonly nextToken?: string; readonly total: bigint }> {
  const total = BigInt(await countMembers(deps, id));
  if (limit === 0) return { members: [], total };
  // One more than the page, which shows whether another page follows, and where it starts.
  const found = await deps.accounts
    .find(
      { 'groups.id': id, ...(from === undefined ? {} : { _id: { $gte: from } }) },
      { sort: { _id: 1 }, limit: limit + 1 },
    )
    .toArray();
  const next = found[limit];
  return { members: found.slice(0, limit), ...(next ? { nextToken: next._id } : {}), total };
}

/** How many accounts are in a group. */
export function countMembers({ accounts }: Pick<Deps, 'accounts'>, id: string): Promise<number> {
  return accounts.countDocuments({ 'groups.id': id });
}
