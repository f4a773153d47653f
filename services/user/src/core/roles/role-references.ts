import type { Deps } from '../deps.ts';
import { roleReference } from '../model/role.ts';
import { ADMIN_ROLE, builtInRole } from './built-in-roles.ts';

/** How accounts refer to the roles of some names, by name. Unknown names are left out; accounts refer to `admin` by a flag. */
export async function roleReferences(
  deps: Pick<Deps, 'roles'>,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const references = new Map<string, string>();
  const created: string[] = [];
  for (const name of names) {
    if (!builtInRole(name)) created.push(name);
    else if (name !== ADMIN_ROLE) references.set(name, name);
  }
  if (created.length > 0) {
    for (const role of await deps.roles.find({ _id: { $in: created } }).toArray())
      references.set(role._id, roleReference(role));
  }
  return references;
}
