import type { GetRateLimitRequest } from '@steward/proto/steward/user/v1/conditions_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { accountOfRateLimit } from './rate-limit.ts';

/** Returns the limit that overrides the server's for an account (behaviour.md 2.11); empty without one. */
export async function getRateLimit(deps: Deps, request: GetRateLimitRequest) {
  const { rate_limit: held } = await accountOfRateLimit(deps, request.userId);
  if (!held) return {};
  return { messagesPerSecond: BigInt(held.messages_per_second), burstCount: BigInt(held.burst_count) };
}
