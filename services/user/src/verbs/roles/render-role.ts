import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RoleSchema } from '@steward/proto/steward/user/v1/roles_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { flagsOf } from '../../core/model/account.ts';
import { type Role, roleReference } from '../../core/model/role.ts';
import { ADMIN_ROLE, type BuiltInRole } from '../../core/roles/built-in-roles.ts';
import { namesOf } from '../../core/roles/read-scopes.ts';

/** How many accounts, and how many automation tokens, have a role, by its reference. */
type CountsOf = (reference: string) => { readonly holders: bigint; readonly tokens: bigint };

/** The numbers of accounts and automation tokens that have each role; the totals of facets tell those of accounts. */
export async function countHolders(deps: Pick<Deps, 'accounts' | 'automationTokens'>): Promise<CountsOf> {
  const holders = new Map<string, number>();
  for (const [facet, total] of await deps.accounts.tally()) {
    const { admin, roles } = flagsOf(facet);
    for (const reference of admin ? [ADMIN_ROLE, ...roles] : roles)
      holders.set(reference, (holders.get(reference) ?? 0) + total);
  }
  const ofRole = { by: 'role', sum: 'created_ts', order: 'count', direction: -1 } as const;
  const { groups } = await deps.automationTokens.groups({}, ofRole);
  const tokens = new Map(groups.map(({ value, count }) => [value, count]));
  return (reference) => ({
    holders: BigInt(holders.get(reference) ?? 0),
    tokens: BigInt(tokens.get(reference) ?? 0),
  });
}

/** A role that administrators created, as they see it. */
export function toRole(role: Role, countsOf: CountsOf): MessageInitShape<typeof RoleSchema> {
  const { _id: name, description, scopes } = role;
  return { name, description, scopes: [...scopes], builtIn: false, ...countsOf(roleReference(role)) };
}

/** A built-in role, as administrators see it. */
export function toBuiltInRole(
  { name, description, scopes }: BuiltInRole,
  countsOf: CountsOf,
): MessageInitShape<typeof RoleSchema> {
  return { name, description, scopes: namesOf(scopes), builtIn: true, ...countsOf(name) };
}
