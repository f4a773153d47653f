import type { MessageInitShape } from '@bufbuild/protobuf';
import { refuse } from '@steward/errors';
import type { GetRoleRequest, GetRoleResponseSchema } from '@steward/proto/steward/user/v1/roles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { builtInRole } from '../../core/roles/built-in-roles.ts';
import { countHolders, toBuiltInRole, toRole } from './render-role.ts';

/** Returns a role. */
export async function getRole(
  deps: Deps,
  { name }: GetRoleRequest,
): Promise<MessageInitShape<typeof GetRoleResponseSchema>> {
  const builtIn = builtInRole(name);
  if (builtIn) return { role: toBuiltInRole(builtIn, await countHolders(deps)) };
  const role = await deps.roles.findOne({ _id: name });
  if (!role) throw refuse.notFound('Role not found');
  return { role: toRole(role, await countHolders(deps)) };
}
