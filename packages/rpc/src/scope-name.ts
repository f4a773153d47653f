import { type Scope, ScopeSchema } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** The scopes of this release with their names, in the order of their declaration. */
const named = ScopeSchema.values
  .filter(({ number }) => number !== 0)
  .map(
    ({ number, localName }) =>
      [number as Scope, localName.toLowerCase().replace(/_([a-z]+)$/, ':$1')] as const,
  );

const names = new Map(named);
const scopes = new Map(named.map(([scope, name]) => [name, scope]));

/** Every scope, in the order of their declaration. */
export const ALL_SCOPES: readonly Scope[] = named.map(([scope]) => scope);

/** How clients see a scope: `users:read` for `Scope.USERS_READ`. */
export function scopeName(scope: Scope): string {
  return names.get(scope) ?? String(scope);
}

/** The scope of a name; `undefined` when this release knows none. */
export function scopeOf(name: string): Scope | undefined {
  return scopes.get(name);
}
