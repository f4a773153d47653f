import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { AllowCrossSigningReplacementRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { hasMasterKey } from '../../core/keys/has-master-key.ts';
import { setCondition } from './set-condition.ts';

/** How long the permission lasts (behaviour.md 13.1). */
const PERMISSION_MS = 10 * 60_000;

/** Permits a user to replace their cross-signing keys without further authentication for `PERMISSION_MS`. */
export async function allowCrossSigningReplacement(
  deps: Deps,
  request: AllowCrossSigningReplacementRequest,
  context: HandlerContext,
) {
  const until = deps.clock.now() + PERMISSION_MS;
  const changed =
    (await hasMasterKey(deps, request.userId)) &&
    (await setCondition(deps, context, request.userId, () => ({
      cross_signing_replacement_until_ms: until,
    })));
  if (!changed) throw refuse.notFound('There is no user of this name with cross-signing keys');
  return { updatableWithoutUiaBeforeMs: BigInt(until) };
}
