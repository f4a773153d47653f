import { hasScope, type Rights, requireScopes } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { AutomationToken } from '../model/automation-token.ts';
import { rightsOf, scopesIn } from '../roles/account-rights.ts';
import { ADMIN_ROLE } from '../roles/built-in-roles.ts';
import { storedScopes } from '../roles/read-scopes.ts';

type Grant = Pick<AutomationToken, 'role' | 'scopes'>;

/**
 * The current rights of an automation token. A role is read each time, so a change of it takes effect with the next
 * request, but never beyond what the maker of the token had.
 */
export async function rightsOfToken(deps: Pick<Deps, 'roles'>, token: Grant): Promise<Rights> {
  const limit = limitOf(token);
  return token.role === undefined ? limit : within(limit, await rightsOfRole(deps, token.role));
}

/** As `rightsOfToken`, for several tokens; each role is read once. */
export async function rightsOfTokens(
  deps: Pick<Deps, 'roles'>,
  tokens: readonly Grant[],
): Promise<(token: Grant) => Rights> {
  const rights = new Map<string, Rights>();
  for (const { role } of tokens)
    if (role !== undefined && !rights.has(role)) rights.set(role, await rightsOfRole(deps, role));
  return (token) => {
    const ofRole = token.role === undefined ? undefined : rights.get(token.role);
    return ofRole ? within(limitOf(token), ofRole) : limitOf(token);
  };
}

/**
 * Refuses a caller who would rotate or revoke a token with a scope that the caller does not have.
 *
 * @throws refuse.forbidden, which names the scope
 */
export async function requireAuthorityOverToken(
  deps: Pick<Deps, 'roles'>,
  caller: Rights,
  token: Grant,
): Promise<void> {
  requireScopes(caller, scopesIn(await rightsOfToken(deps, token)), 'token');
}

/** The rights of a token without a role; otherwise the most that its role gives. */
function limitOf({ scopes }: Grant): Rights {
  return scopes ? { admin: false, scopes: [...storedScopes(scopes)] } : { admin: true };
}

function rightsOfRole(deps: Pick<Deps, 'roles'>, role: string): Promise<Rights> {
  return rightsOf(deps, role === ADMIN_ROLE ? { admin: true } : { admin: false, roles: [role] });
}

function within(limit: Rights, rights: Rights): Rights {
  if (limit.admin) return rights;
  return { admin: false, scopes: scopesIn(rights).filter((scope) => hasScope(limit, scope)) };
}
