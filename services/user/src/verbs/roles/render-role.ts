import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RoleSchema } from '@steward/proto/steward/user/v1/roles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { flagsOf } from '../../core/model/account.ts';
import { type Role, roleReference } from '../../core/model/role.ts';
import { ADMIN_ROLE, type BuiltInRole } from '../../core/roles/built-in-roles.ts';
import { namesOf } from '../../core/roles/read-scopes.ts';

/** The numbers of accounts that have each role, by reference; the totals of facets tell them without reading accounts. */
export async function countHolders(deps: Pick<Deps, 'accounts'>): Promise<(reference: string) => bigint> {
  const holders = new Map<string, number>();
  for (const [facet, total] of await deps.accounts.tally()) {
    const { admin, roles } = flagsOf(facet);
    for (const reference of admin ? [ADMIN_ROLE, ...roles] : roles)
      holders.set(reference, (holders.get(reference) ?? 0) + total);
  }
  return (reference) => BigInt(holders.get(reference) ?? 0);
}

/** A role that administrators created, as they see it. */
export function toRole(
  role: Role,
  holders: (reference: string) => bigint,
): MessageInitShape<typeof RoleSchema> {
  const { _id: name, description, scopes } = role;
  return { name, description, scopes: [...scopes], builtIn: false, holders: holders(roleReference(role)) };
}

/** A built-in role, as administrators see it. */
export function toBuiltInRole(
  { name, description, scopes }: BuiltInRole,
  holders: (reference: string) => bigint,
): MessageInitShape<typeof RoleSchema> {
  return { name, description, scopes: namesOf(scopes), builtIn: true, holders: holders(name) };
}
