import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  ClearRateLimitRequest,
  GetRateLimitRequest,
  SetRateLimitRequest,
} from '@steward/proto/steward/user/v1/conditions_pb.ts';
import { raiseDeferred } from '@steward/rpc';
import { loadAccount } from '../../core/accounts/load-account.ts';
import { requireLocalSuffix } from '../../core/accounts/local-user.ts';
import type { Deps } from '../../core/deps.ts';
import { setCondition } from './set-condition.ts';

/** The limit that an account has in place of the server's (behaviour.md 2.11); nothing when it has none. */
export async function getRateLimit(deps: Deps, request: GetRateLimitRequest) {
  const { rate_limit: held } = await accountOfRateLimit(deps, request.userId);
  if (!held) return {};
  return { messagesPerSecond: BigInt(held.messages_per_second), burstCount: BigInt(held.burst_count) };
}

/** Gives an account a limit of its own; what is not said of it is 0. */
export async function setRateLimit(deps: Deps, request: SetRateLimitRequest, context: HandlerContext) {
  await accountOfRateLimit(deps, request.userId);
  raiseDeferred(context);
  const { messagesPerSecond, burstCount } = request;
  const limit = { messages_per_second: Number(messagesPerSecond), burst_count: Number(burstCount) };
  const changed = await setCondition(deps, context, request.userId, () => ({ rate_limit: limit }));
  if (!changed) throw refuse.notFound('User not found');
  return { messagesPerSecond, burstCount };
}

/** Takes an account's own limit away; that there is none is no error. */
export async function clearRateLimit(deps: Deps, request: ClearRateLimitRequest, context: HandlerContext) {
  await accountOfRateLimit(deps, request.userId);
  await setCondition(deps, context, request.userId, () => ({ rate_limit: null }));
  return {};
}

async function accountOfRateLimit(deps: Deps, userId: string) {
  requireLocalSuffix(deps, userId);
  const account = await loadAccount(deps, userId);
  if (!account) throw refuse.notFound('User not found');
  return account;
}
