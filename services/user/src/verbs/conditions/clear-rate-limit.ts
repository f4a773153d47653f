import type { HandlerContext } from '@connectrpc/connect';
import type { ClearRateLimitRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { accountOfRateLimit } from './rate-limit.ts';
import { setCondition } from './set-condition.ts';

/** Removes an account's own rate limit; clearing an absent one is not an error. */
export async function clearRateLimit(deps: Deps, request: ClearRateLimitRequest, context: HandlerContext) {
  await accountOfRateLimit(deps, request.userId);
  await setCondition(deps, context, request.userId, () => ({ rate_limit: null }));
  return {};
}
