import { refuse } from '@steward/errors';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { ALL_SCOPES, scopeName, scopeOf } from '@steward/rpc';

/**
 * The scopes that a request names, each once.
 *
 * @throws refuse.invalidParam when one is unknown
 */
export function readScopes(names: readonly string[]): readonly Scope[] {
  const named = new Set<Scope>();
  for (const name of names) {
    const scope = scopeOf(name);
    if (scope === undefined) throw refuse.invalidParam(`There is no scope '${name}'`);
    named.add(scope);
  }
  return ALL_SCOPES.filter((scope) => named.has(scope));
}

/** The scopes whose names are stored. A later release may have stored one that this release does not know. */
export function storedScopes(names: readonly string[]): readonly Scope[] {
  return names.map(scopeOf).filter((scope) => scope !== undefined);
}

/** The names of scopes. */
export function namesOf(scopes: readonly Scope[]): string[] {
  return scopes.map(scopeName);
}
