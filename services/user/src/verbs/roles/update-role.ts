import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { UpdateRoleRequest, UpdateRoleResponseSchema } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { requester, requireScopes } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { existingRole, refuseBuiltIn } from '../../core/roles/changeable-role.ts';
import { namesOf, readScopes, storedScopes } from '../../core/roles/read-scopes.ts';
import { roleAggregate } from '../../core/roles/role-aggregate.ts';
import { countHolders, toRole } from './render-role.ts';

/** Changes a role. The caller has all its scopes, before and after the change. */
export async function updateRole(
  deps: Deps,
  { name, description, scopes: requested, present }: UpdateRoleRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof UpdateRoleResponseSchema>> {
  refuseBuiltIn(name);
  const caller = requester(context);
  const scopes = present?.paths.includes('scopes') ? readScopes(requested) : undefined;
  const changed = existingRole(
    (
      await roleAggregate.change(deps, name, (role) => {
        requireScopes(caller, [...storedScopes(role.scopes), ...(scopes ?? [])], 'role');
        const set = {
          ...(description === undefined ? {} : { description }),
          ...(scopes ? { scopes: namesOf(scopes) } : {}),
        };
        return Object.keys(set).length > 0 ? { set } : undefined;
      })
    )?.document,
  );
  return { role: toRole(changed, await countHolders(deps)) };
}
