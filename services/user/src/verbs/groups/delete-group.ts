import type { HandlerContext } from '@connectrpc/connect';
import type { DeleteGroupRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { keptGroup, requireRolesOfGroup } from '../../core/groups/existing-group.ts';
import { groupAggregate } from '../../core/groups/group-aggregate.ts';

/** Deletes a group. The task that ends the memberships removes the document afterwards. */
export async function deleteGroup(deps: Deps, { id }: DeleteGroupRequest, context: HandlerContext) {
  const caller = requester(context);
  const changed = await groupAggregate.change(deps, id, async (current) => {
    await requireRolesOfGroup(deps, caller, keptGroup(current));
    return {
      set: { deleted: true },
      unset: { name_key: true, external_id: true },
      effects: [{ kind: 'apply', requester: caller.userId }],
    };
  });
  keptGroup(changed && { ...changed.document, deleted: false });
  return {};
}
