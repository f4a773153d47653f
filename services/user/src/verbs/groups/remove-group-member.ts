import type { HandlerContext } from '@connectrpc/connect';
import type { RemoveGroupMemberRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { changeMember } from './change-member.ts';

/** Takes an account out of a group. One that is not in it stays as it is. */
export async function removeGroupMember(
  deps: Deps,
  request: RemoveGroupMemberRequest,
  context: HandlerContext,
) {
  const { id, by } = request;
  await changeMember(deps, request, context, (_, memberships) =>
    memberships.flatMap((membership) => {
      if (membership.id !== id) return [membership];
      const left = by === undefined ? [] : membership.by.filter((one) => one !== by);
      return left.length > 0 ? [{ ...membership, by: left }] : [];
    }),
  );
  return {};
}
