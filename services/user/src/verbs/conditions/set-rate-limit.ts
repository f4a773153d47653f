import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { SetRateLimitRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { accountOfRateLimit } from './rate-limit.ts';
import { setCondition } from './set-condition.ts';

/** Gives an account a rate limit of its own; values that the request omits are 0. */
export async function setRateLimit(deps: Deps, request: SetRateLimitRequest, context: HandlerContext) {
  await accountOfRateLimit(deps, request.userId);
  raiseDeferred(context);
  const { messagesPerSecond, burstCount } = request;
  const limit = { messages_per_second: Number(messagesPerSecond), burst_count: Number(burstCount) };
  const changed = await setCondition(deps, context, request.userId, () => ({ rate_limit: limit }));
  if (!changed) throw refuse.notFound('User not found');
  return { messagesPerSecond, burstCount };
}
