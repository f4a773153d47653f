import type { GetRateLimitRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { accountOfRateLimit } from './rate-limit.ts';

/** The limit that an account has in place of the server's (behaviour.md 2.11); nothing when it has none. */
export async function getRateLimit(deps: Deps, request: GetRateLimitRequest) {
  const { rate_limit: held } = await accountOfRateLimit(deps, request.userId);
  if (!held) return {};
  return { messagesPerSecond: BigInt(held.messages_per_second), burstCount: BigInt(held.burst_count) };
}
