import type { GetGroupRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { existingGroup } from '../../core/groups/existing-group.ts';
import { countMembers } from './list-group-members.ts';
import { toGroup } from './render-group.ts';

/** Returns a group. */
export async function getGroup(deps: Deps, { id }: GetGroupRequest) {
  const group = await existingGroup(deps, id);
  return { group: toGroup(group, await countMembers(deps, id)) };
}
