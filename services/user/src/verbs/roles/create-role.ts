import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { randomId } from '@steward/kernel';
import type { CreateRoleRequest, CreateRoleResponseSchema } from '@steward/proto/steward/user/v1/roles_pb.ts';
import { callId, requester, requireScopes } from '@steward/rpc';
import { Conflict } from '@steward/store';
import type { Deps } from '../../core/deps.ts';
import { MAX_ROLES, type Role } from '../../core/model/role.ts';
import { builtInRole } from '../../core/roles/built-in-roles.ts';
import { namesOf, readScopes } from '../../core/roles/read-scopes.ts';
import { roleAggregate } from '../../core/roles/role-aggregate.ts';
import { toRole } from './render-role.ts';

/** Creates a role with scopes that the caller has. */
export async function createRole(
  deps: Deps,
  { name, description, scopes: requested }: CreateRoleRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof CreateRoleResponseSchema>> {
  const scopes = readScopes(requested);
  if (builtInRole(name)) throw roleExists();
  requireScopes(requester(context), scopes, 'role');
  // Concurrent requests may exceed the maximum by their number.
  if ((await deps.roles.countDocuments({})) >= MAX_ROLES)
    throw refuse.invalidParam(`A server has at most ${MAX_ROLES} roles besides the built-in ones`);
  const role: Role = {
    _id: name,
    version: 1,
    description,
    scopes: namesOf(scopes),
    instance: callId(context) ?? randomId(deps.random),
  };
  try {
    await roleAggregate.create(deps, role);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const existing = await roleAggregate.load(deps, name);
    // An earlier attempt of the call has created it.
    if (existing?.instance !== role.instance) throw roleExists();
  }
  return { role: toRole(role, () => ({ holders: 0n, tokens: 0n })) };
}

function roleExists(): Error {
  return refuse.invalidParam('The role exists');
}
