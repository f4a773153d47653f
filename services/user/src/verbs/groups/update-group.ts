import type { HandlerContext } from '@connectrpc/connect';
import type { UpdateGroupRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { requester } from '@steward/rpc';
import { Conflict } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { keptGroup, requireRolesOfGroup } from '../../core/groups/existing-group.ts';
import { groupAggregate } from '../../core/groups/group-aggregate.ts';
import { type Group, groupNameKey } from '../../core/model/group.ts';
import { ADMIN_ROLE } from '../../core/roles/built-in-roles.ts';
import { requireKeptRole } from '../../core/roles/require-kept-role.ts';
import { nameTaken } from './create-group.ts';
import { countMembers } from './list-group-members.ts';
import { readRoles } from './read-roles.ts';
import { toGroup } from './render-group.ts';

/** Changes a group; a task brings its members to what it says then. */
export async function updateGroup(deps: Deps, request: UpdateGroupRequest, context: HandlerContext) {
  const caller = requester(context);
  const roles = request.present?.paths.includes('roles') ? await readRoles(deps, request.roles) : undefined;
  const set: Partial<Group> = {
    ...(request.name === undefined ? {} : { name: request.name, name_key: groupNameKey(request.name) }),
    ...(request.description === undefined ? {} : { description: request.description }),
    ...(request.externalId === undefined ? {} : { external_id: request.externalId || null }),
    ...(roles ? { roles } : {}),
    ...(request.enforced === undefined ? {} : { enforced: request.enforced }),
    ...(request.handEdits === undefined
      ? {}
      : { hand_edits: request.handEdits === 'keep' ? ('keep' as const) : ('restore' as const) }),
  };
  const changed = await groupAggregate
    .change(deps, request.id, async (current) => {
      keptGroup(current);
      await requireRolesOfGroup(deps, caller, current);
      await requireRolesOfGroup(deps, caller, { ...current, ...set });
      return { set, effects: [{ kind: 'apply' as const, requester: caller.userId }] };
    })
    .catch((error: unknown) => {
      throw error instanceof Conflict && error.index === 'by_name' ? nameTaken() : error;
    });
  const group = keptGroup(changed?.document);
  for (const role of roles ?? []) if (role !== ADMIN_ROLE) await requireKeptRole(deps, role);
  return { group: toGroup(group, await countMembers(deps, group._id)) };
}
