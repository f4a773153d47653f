import type { RateLimitOverride, Requester } from '@steward/rpc';
import type { Account } from '../model/account.ts';

/** What a requester takes over from the account that it acts as, and from the owner of its credential. */
export function requesterOf(
  account: Account,
  owner: Account,
): Omit<Requester, 'deviceId' | 'tokenId' | 'admin' | 'scopes'> {
  return {
    userId: account._id,
    owner: owner._id,
    guest: account.is_guest,
    shadowBanned: account.shadow_banned,
    suspended: account.suspended,
    rateLimit: rateLimitOf(account),
    ownerRateLimit: rateLimitOf(owner),
    quotas: account.quotas ?? {},
  };
}

function rateLimitOf({ rate_limit: held }: Account): RateLimitOverride | undefined {
  if (!held) return undefined;
  return { messagesPerSecond: held.messages_per_second, burstCount: held.burst_count };
}
