import { refuse } from '@steward/errors';
import type { Role } from '../model/role.ts';
import { builtInRole } from './built-in-roles.ts';

/** @throws refuse.unknown for the name of a built-in role */
export function refuseBuiltIn(name: string): void {
  if (builtInRole(name)) throw refuse.unknown('Built-in roles cannot be changed or deleted');
}

/** @throws refuse.notFound when there is no such role */
export function existingRole(role: Role | undefined): Role {
  if (!role) throw refuse.notFound('Role not found');
  return role;
}
