import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Planned } from '@steward/plans';
import type { DeleteRoleRequest } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { requester, requireScopes } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { type Role, roleReference } from '../../core/model/role.ts';
import { existingRole, refuseBuiltIn } from '../../core/roles/changeable-role.ts';
import { storedScopes } from '../../core/roles/read-scopes.ts';
import { roleAggregate } from '../../core/roles/role-aggregate.ts';

/**
 * Deletes a role that no account and no automation token has, and no group gives. A request that gives the role at the same time commits the role
 * afterwards: then either this deletion decides again, or that request finds no role.
 */
export async function deleteRole(deps: Deps, { name }: DeleteRoleRequest, context: HandlerContext) {
  refuseBuiltIn(name);
  const outcome = await roleAggregate.delete(deps, name, async (role) => {
    await requireDeletable(deps, role, context);
    return true;
  });
  if (outcome === 'missing') throw refuse.notFound('Role not found');
  return {};
}

/** Plans `deleteRole`. */
export async function planDeleteRole(
  deps: Deps,
  { name }: DeleteRoleRequest,
  context: HandlerContext,
): Promise<Planned> {
  refuseBuiltIn(name);
  const role = existingRole(await roleAggregate.load(deps, name));
  await requireDeletable(deps, role, context);
  return {
    changes: [{ kind: 'roles', change: 'removed', count: 1 }],
    sample: [{ kind: 'role', id: name, name: role.description }],
    state: [role.version],
  };
}

async function requireDeletable(deps: Deps, role: Role, context: HandlerContext): Promise<void> {
  requireScopes(requester(context), storedScopes(role.scopes), 'role');
  const reference = roleReference(role);
  const accounts = await deps.accounts.countDocuments({ roles: reference });
  if (accounts > 0)
    throw refuse.unknown(`${accounts} ${accounts === 1 ? 'account has' : 'accounts have'} this role`);
  const tokens = await deps.automationTokens.countDocuments({ role: reference });
  if (tokens > 0)
    throw refuse.unknown(`${tokens} automation ${tokens === 1 ? 'token has' : 'tokens have'} this role`);
  const groups = await deps.groups.countDocuments({ roles: reference, deleted: false });
  if (groups > 0) throw refuse.unknown(`${groups} ${groups === 1 ? 'group gives' : 'groups give'} this role`);
}
