import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListRolesResponseSchema } from '@steward/proto/steward/user/v1/roles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { BUILT_IN_ROLES } from '../../core/roles/built-in-roles.ts';
import { countHolders, toBuiltInRole, toRole } from './render-role.ts';

/** Returns all roles. */
export async function listRoles(deps: Deps): Promise<MessageInitShape<typeof ListRolesResponseSchema>> {
  const holders = await countHolders(deps);
  const created = await deps.roles.find({}, { sort: { _id: 1 } }).toArray();
  return {
    roles: [
      ...BUILT_IN_ROLES.map((role) => toBuiltInRole(role, holders)),
      ...created.map((role) => toRole(role, holders)),
    ],
  };
}
