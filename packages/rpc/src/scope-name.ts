import { type Scope, ScopeSchema } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** The names by number. */
const names = new Map(
  ScopeSchema.values.map(({ number, localName }) => [
    number,
    localName.toLowerCase().replace(/_([a-z]+)$/, ':$1'),
  ]),
);

/** How clients see a scope: `users:read` for `Scope.USERS_READ`. */
export function scopeName(scope: Scope): string {
  return names.get(scope) ?? String(scope);
}
