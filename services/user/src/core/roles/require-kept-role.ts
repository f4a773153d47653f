import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { roleNameOf, roleReference } from '../model/role.ts';
import { builtInRole } from './built-in-roles.ts';
import { roleAggregate } from './role-aggregate.ts';

/**
 * Makes a concurrent deletion of a role that was just given decide again.
 *
 * @param reference how an account or a token now refers to the role
 * @throws refuse.tooLate when the role is gone already
 */
export async function requireKeptRole(deps: Deps, reference: string): Promise<void> {
  if (builtInRole(reference)) return;
  const kept = await roleAggregate.change(deps, roleNameOf(reference), (current) =>
    roleReference(current) === reference ? {} : undefined,
  );
  if (!kept || roleReference(kept.document) !== reference)
    throw refuse.tooLate(`The role '${roleNameOf(reference)}' was deleted during the request`);
}
