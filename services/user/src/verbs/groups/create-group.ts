import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { CreateGroupRequest } from '@steward/proto/steward/user/v1/groups_pb.ts';
import { newTimedId, repeatableCall, requester } from '@steward/rpc';
import { Conflict } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { requireRolesOfGroup } from '../../core/groups/existing-group.ts';
import { groupAggregate } from '../../core/groups/group-aggregate.ts';
import { type Group, groupNameKey, MAX_GROUPS } from '../../core/model/group.ts';
import { ADMIN_ROLE } from '../../core/roles/built-in-roles.ts';
import { requireKeptRole } from '../../core/roles/require-kept-role.ts';
import { readRoles } from './read-roles.ts';
import { toGroup } from './render-group.ts';

/** Creates a group without members, with roles whose scopes the caller has. */
export async function createGroup(deps: Deps, request: CreateGroupRequest, context: HandlerContext) {
  const roles = await readRoles(deps, request.roles);
  await requireRolesOfGroup(deps, requester(context), { roles });
  // Concurrent requests may exceed the maximum by their number.
  if ((await deps.groups.countDocuments({ deleted: false })) >= MAX_GROUPS)
    throw refuse.invalidParam(`A server has at most ${MAX_GROUPS} groups`);
  const now = deps.clock.now();
  const group: Group = {
    _id: newTimedId(deps.random, now, repeatableCall(context)),
    version: 1,
    name: request.name,
    name_key: groupNameKey(request.name),
    description: request.description,
    ...(request.externalId ? { external_id: request.externalId } : {}),
    roles,
    enforced: request.enforced,
    hand_edits: request.handEdits === 'keep' ? 'keep' : 'restore',
    created_ts: now,
    deleted: false,
  };
  try {
    await groupAggregate.create(deps, group);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    // An earlier attempt of the call has created it.
    const existing = await deps.groups.findOne({ _id: group._id });
    if (!existing || existing.deleted) throw nameTaken();
  }
  for (const role of roles) if (role !== ADMIN_ROLE) await requireKeptRole(deps, role);
  return { group: toGroup(group, 0) };
}

/** The refusal of a name that another group has. */
export function nameTaken(): Error {
  return refuse.invalidParam('Another group has this name');
}
