import { refuse } from '@steward/errors';
import { compareCodePoints } from '@steward/kernel';
import type { Deps } from '../../core/deps.ts';
import { MAX_ROLES_OF_ACCOUNT } from '../../core/model/role.ts';
import { ADMIN_ROLE } from '../../core/roles/built-in-roles.ts';
import { roleReferences } from '../../core/roles/role-references.ts';

/**
 * The roles of a group as it refers to them, by their names.
 *
 * @throws refuse.invalidParam for a role that does not exist, and too many
 */
export async function readRoles(deps: Deps, requested: readonly string[]): Promise<readonly string[]> {
  const names = new Set(requested);
  if (names.size > MAX_ROLES_OF_ACCOUNT)
    throw refuse.invalidParam(`A group has at most ${MAX_ROLES_OF_ACCOUNT} roles`);
  const references = await roleReferences(deps, names);
  return [...names]
    .map((name) => {
      const reference = name === ADMIN_ROLE ? ADMIN_ROLE : references.get(name);
      if (reference === undefined) throw refuse.invalidParam(`There is no role '${name}'`);
      return reference;
    })
    .sort(compareCodePoints);
}
