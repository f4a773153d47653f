import type { PlanGroupRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { groupsOf } from '../../core/groups/change-memberships.ts';
import { existingGroup } from '../../core/groups/existing-group.ts';
import { roleNameOf } from '../../core/model/role.ts';
import { withGroupRoles } from '../../core/roles/group-roles.ts';
import { heldBy } from '../../core/roles/provided-roles.ts';
import { pageOfMembers } from './list-group-members.ts';
import { pageSize } from './page-size.ts';

/** Returns a page of what would change for the members of a group if it were enforced. */
export async function planGroup(deps: Deps, { id, from, limit }: PlanGroupRequest) {
  const group = await existingGroup(deps, id);
  const { members, ...page } = await pageOfMembers(deps, id, { from, limit: pageSize(limit) });
  const ids = members.flatMap(({ groups = [] }) => groups.map((membership) => membership.id));
  const rules = new Map([...(await groupsOf(deps, ids)), [id, { ...group, enforced: true }]]);
  const changes = members.flatMap((account) => {
    const [held, next] = [heldBy(account), heldBy(withGroupRoles(account, rules))];
    const rolesGiven = next.filter((role) => !held.includes(role)).map(roleNameOf);
    const rolesTaken = held.filter((role) => !next.includes(role)).map(roleNameOf);
    return rolesGiven.length + rolesTaken.length > 0 ? [{ userId: account._id, rolesGiven, rolesTaken }] : [];
  });
  return { changes, ...page };
}
