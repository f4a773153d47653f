import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ALL_SCOPES, hasScope, type Requester, type Rights } from '@steward/rpc';
import type { Account } from '../model/account.ts';
import type { RightsLimit } from '../model/rights-limit.ts';
import { scopesIn } from './account-rights.ts';
import { namesOf, storedScopes } from './read-scopes.ts';

/** The limit of a credential that a caller with some rights makes for an account that is not their own. */
export function limitOf(rights: Rights): RightsLimit {
  return ALL_SCOPES.every((scope) => hasScope(rights, scope)) ? null : namesOf(scopesIn(rights));
}

/** The rights of which a limit leaves some. */
export function withinLimit(rights: Rights, limit: RightsLimit = null): Rights {
  if (limit === null) return rights;
  const admitted = new Set(storedScopes(limit));
  return { admin: false, scopes: scopesIn(rights).filter((scope) => admitted.has(scope)) };
}

/** The scopes that a limit takes away. */
export function beyondLimit(rights: Rights, limit: RightsLimit = null): readonly Scope[] {
  const left = withinLimit(rights, limit);
  return scopesIn(rights).filter((scope) => !hasScope(left, scope));
}

/** The limit of a session that begins with two proofs of identity, either of which would suffice for its scopes. */
export function widerLimit(one: RightsLimit = null, other: RightsLimit = null): RightsLimit {
  return one === null || other === null ? null : [...new Set([...one, ...other])];
}

/**
 * What a caller has of the rights of an account: nothing while it is suspended, and otherwise what the limit of the credential
 * leaves.
 */
export function carriedRights(
  { suspended }: Pick<Account, 'suspended'>,
  rights: Rights,
  limit: RightsLimit = null,
): Pick<Requester, 'admin' | 'scopes' | 'withheldScopes'> {
  if (suspended) return withheldFrom({ admin: false }, scopesIn(rights));
  return limit === null ? rights : withheldFrom(withinLimit(rights, limit), beyondLimit(rights, limit));
}

function withheldFrom(rights: Rights, withheld: readonly Scope[]) {
  return withheld.length > 0 ? { ...rights, withheldScopes: [...withheld] } : rights;
}
