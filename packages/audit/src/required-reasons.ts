import { refuse } from '@steward/errors';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { REASON_HEADER, reasonOf, StartupError, scopeName, scopeOf } from '@steward/rpc';

/**
 * Returns the check that a call which uses some of these scopes states a reason. The check throws refuse.missingParam for a
 * call without one.
 *
 * @param names the values of `audit.require_reason`
 * @throws StartupError for an unknown scope
 */
export function createReasonCheck(
  names: readonly string[],
): (scopes: readonly Scope[], header: Pick<Headers, 'get'>) => void {
  const required = new Set(
    names.map((name) => {
      const scope = scopeOf(name);
      if (scope === undefined)
        throw new StartupError(
          `audit.require_reason (STEWARD_AUDIT_REQUIRE_REASON): there is no scope ${name}`,
        );
      return scope;
    }),
  );
  return (scopes, header) => {
    if (required.size === 0) return;
    const missing = scopes.find((scope) => required.has(scope));
    if (missing !== undefined && reasonOf(header) === '')
      throw refuse.missingParam(`The scope ${scopeName(missing)} requires a reason in ${REASON_HEADER}`);
  };
}
