import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ALL_SCOPES, type CallerRights, hasScope, type Rights, requireScopes } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import { roleNameOf, roleReference } from '../model/role.ts';
import { isServerAccount } from '../server-accounts/server-account.ts';
import { ADMIN_ROLE, builtInRole } from './built-in-roles.ts';
import { storedScopes } from './read-scopes.ts';

type AuthorityDeps = Pick<Deps, 'roles' | 'serverName' | 'settings'>;

/** The fields of an account that give it rights. */
export type RightsHolder = Pick<Account, 'admin' | 'roles'>;

/** An account that a caller would change; one that does not exist yet may lack an id. */
type Governed = RightsHolder & Partial<Pick<Account, '_id' | 'acts_for_server'>>;

/** A role that an account has. */
interface HeldRole {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/**
 * The roles of an account, besides `admin`, ascending by name. Those that administrators created are read each time, so a
 * change of one takes effect with the next request. A reference to a role that was deleted gives nothing.
 */
async function rolesOf(
  { roles }: Pick<Deps, 'roles'>,
  { roles: references = [] }: Pick<Account, 'roles'>,
): Promise<readonly HeldRole[]> {
  if (references.length === 0) return [];
  const held = new Map<string, HeldRole>();
  const created: string[] = [];
  for (const reference of references) {
    const builtIn = builtInRole(reference);
    if (builtIn) held.set(reference, builtIn);
    else created.push(roleNameOf(reference));
  }
  if (created.length > 0) {
    for (const role of await roles.find({ _id: { $in: created } }).toArray())
      held.set(roleReference(role), { name: role._id, scopes: storedScopes(role.scopes) });
  }
  return references.flatMap((reference) => held.get(reference) ?? []);
}

/** The names of an account's roles, of which `admin` is the first. */
export async function roleNamesOf(deps: Pick<Deps, 'roles'>, account: RightsHolder): Promise<string[]> {
  const names = (await rolesOf(deps, account)).map(({ name }) => name);
  return account.admin ? [ADMIN_ROLE, ...names] : names;
}

/** The rights of an account. */
export async function rightsOf(deps: Pick<Deps, 'roles'>, account: RightsHolder): Promise<Rights> {
  if (account.admin) return { admin: true };
  if (!account.roles || account.roles.length === 0) return { admin: false };
  const held = new Set((await rolesOf(deps, account)).flatMap(({ scopes }) => scopes));
  return { admin: false, scopes: ALL_SCOPES.filter((scope) => held.has(scope)) };
}

/** The scopes that rights consist of. */
export function scopesIn({ admin, scopes = [] }: Rights): readonly Scope[] {
  return admin ? ALL_SCOPES : scopes;
}

/** The scopes that a caller needs to change an account: its own, and for one that acts for the server that of sending notices. */
export async function scopesOver(deps: AuthorityDeps, account: Governed): Promise<readonly Scope[]> {
  const scopes = scopesIn(await rightsOf(deps, account));
  return isServerAccount(deps, account) ? [...scopes, Scope.NOTICES_SEND] : scopes;
}

/** Whether rights include all those that an account gives. */
export async function covers(deps: AuthorityDeps, rights: Rights, account: Governed): Promise<boolean> {
  if (rights.admin) return true;
  return (await scopesOver(deps, account)).every((scope) => hasScope(rights, scope));
}

/**
 * Refuses a caller who would change an account that has a scope which the caller does not have, or give an account such a
 * scope: the caller could otherwise gain it. Callers check the account before a change, and its rights afterwards where
 * the change concerns them.
 *
 * @throws refuse.forbidden, which names the scope
 */
export async function requireAuthority(
  deps: AuthorityDeps,
  caller: CallerRights,
  account: Governed,
): Promise<void> {
  if (!caller.admin) requireScopes(caller, await scopesOver(deps, account), 'account');
}

/** As `requireAuthority`, over several accounts; those that do not exist are ignored. */
export async function requireAuthorityOverAll(
  deps: AuthorityDeps & Pick<Deps, 'accounts'>,
  caller: CallerRights,
  userIds: readonly string[],
): Promise<void> {
  if (caller.admin || userIds.length === 0) return;
  const found = await deps.accounts
    .find({ _id: { $in: [...userIds] } }, { projection: { admin: 1, roles: 1, acts_for_server: 1 } })
    .toArray();
  for (const account of found) await requireAuthority(deps, caller, account);
}
