import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { AddGroupMemberRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { MAX_GROUPS_OF_ACCOUNT } from '../../core/model/group.ts';
import { changeMember } from './change-member.ts';

/** Says that an account is in a group. */
export async function addGroupMember(deps: Deps, request: AddGroupMemberRequest, context: HandlerContext) {
  const { id, by = 'hand' } = request;
  await changeMember(deps, request, context, (account, memberships) => {
    if (account.deactivated) throw refuse.unknown('The account is deactivated');
    const others = memberships.filter((membership) => membership.id !== id);
    if (others.length >= MAX_GROUPS_OF_ACCOUNT)
      throw refuse.unknown(`An account is in at most ${MAX_GROUPS_OF_ACCOUNT} groups`);
    const current = memberships.find((membership) => membership.id === id) ?? { id, by: [] };
    return [...others, { ...current, by: [...new Set([...current.by, by])].sort() }];
  });
  return {};
}
