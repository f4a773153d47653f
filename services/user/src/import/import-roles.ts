import { randomId } from '@steward/kernel';
import type { ImportedRole, ImportRolesRequest } from '@steward/proto/steward/user/v1/import_pb.ts';
import { scopeOf } from '@steward/rpc';
import {
  type Checked,
  checkBatch,
  checked,
  idsOf,
  insertAggregates,
  type LoadedBatch,
  loadBatch,
} from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import { MAX_ROLES, ROLE_NAME, type Role } from '../core/model/role.ts';
import { furtherOfRole } from '../core/records/further-fields.ts';
import { builtInRole } from '../core/roles/built-in-roles.ts';

/** Loads roles, which accounts refer to. */
export async function importRoles(deps: Deps, { roles: records }: ImportRolesRequest): Promise<LoadedBatch> {
  checkBatch(records);
  const { roles } = deps;
  const left = MAX_ROLES - (await roles.countDocuments({ _id: { $nin: records.map(({ name }) => name) } }));
  return loadBatch<Role>(
    {
      existing: (ids) => idsOf(roles.find({ _id: { $in: ids } }, { projection: { _id: 1 } })),
      insert: (documents) => insertAggregates(roles, documents, { ...NOT_FLUSHED, ordered: false }),
    },
    records.map((role, index) =>
      index < left ? toDocument(deps, role) : { problem: `a server has at most ${MAX_ROLES} roles` },
    ),
  );
}

function toDocument(deps: Deps, { name, description, scopes, further }: ImportedRole): Checked<Role> {
  if (!ROLE_NAME.test(name)) return { problem: 'name is not the name of a role' };
  if (builtInRole(name)) return { problem: 'name is the name of a built-in role' };
  const unknown = scopes.find((scope) => scopeOf(scope) === undefined);
  if (unknown !== undefined) return { problem: `there is no scope '${unknown}'` };
  const role = { _id: name, version: 1, description, scopes, instance: randomId(deps.random) };
  return checked(() => ({ ...role, ...furtherOfRole.read(further) }));
}
