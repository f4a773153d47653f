import { refuse } from '@steward/errors';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { REASON_HEADER, reasonOf, scopeName } from '@steward/rpc';

/**
 * Returns the check that a call which uses some of the required scopes states a reason. The check throws
 * refuse.missingParam for a call without one.
 */
export function createReasonCheck(
  scopes: readonly Scope[],
): (used: readonly Scope[], header: Pick<Headers, 'get'>) => void {
  const required = new Set(scopes);
  return (used, header) => {
    if (required.size === 0) return;
    const missing = used.find((scope) => required.has(scope));
    if (missing !== undefined && reasonOf(header) === '')
      throw refuse.missingParam(`The scope ${scopeName(missing)} requires a reason in ${REASON_HEADER}`);
  };
}
