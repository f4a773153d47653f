import { refuse } from '@steward/errors';
import { type CallerRights, requireScopes } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Group } from '../model/group.ts';
import { rightsOf, scopesIn } from '../roles/account-rights.ts';
import { ADMIN_ROLE } from '../roles/built-in-roles.ts';

/**
 * A group that was not deleted.
 *
 * @throws refuse.notFound
 */
export async function existingGroup(deps: Pick<Deps, 'groups'>, id: string): Promise<Group> {
  return keptGroup(await deps.groups.findOne({ _id: id }));
}

/** @throws refuse.notFound for none, and one that was deleted */
export function keptGroup(group: Group | null | undefined): Group {
  if (!group || group.deleted) throw refuse.notFound('Group not found');
  return group;
}

/**
 * Refuses a caller who does not have all scopes of the roles that a group gives: the caller could otherwise gain them.
 *
 * @throws refuse.forbidden, which names the scope
 */
export async function requireRolesOfGroup(
  deps: Pick<Deps, 'roles'>,
  caller: CallerRights,
  { roles }: Pick<Group, 'roles'>,
): Promise<void> {
  if (caller.admin || roles.length === 0) return;
  const admin = roles.includes(ADMIN_ROLE);
  const rights = await rightsOf(deps, { admin, roles: roles.filter((role) => role !== ADMIN_ROLE) });
  requireScopes(caller, scopesIn(rights), 'group');
}
