import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import { headers } from './headers.ts';
import { networkOf } from './network-of.ts';

/** A limit that takes the place of the server's for one account (behaviour.md 2.11). */
export interface RateLimitOverride {
  /** Actions a second in the long run; 0 for no limit. */
  readonly messagesPerSecond: number;
  /** Actions at once. */
  readonly burstCount: number;
}

/** Whom a request comes from, as its token says. */
export interface Requester {
  /** The account that the request acts as. */
  readonly userId: string;
  /** The account that the token belongs to; differs where an administrator acts as a user. */
  readonly owner: string;
  /** The device of the session; tokens made for administrators have none. */
  readonly deviceId: string | undefined;
  /** The digest of the token, by which sessions are told apart. */
  readonly tokenId: string;
  readonly admin: boolean;
  readonly guest: boolean;
  /** Whether what the account sends must reach nobody, without its user noticing (client-plane.md 8.3). */
  readonly shadowBanned: boolean;
  /** Whether the account may only read, and leave. */
  readonly suspended: boolean;
  /** The account's own limit on what it sends; unset when the server's holds. */
  readonly rateLimit?: RateLimitOverride | undefined;
  /** That of the token's owner, which the limits on everything else look at. */
  readonly ownerRateLimit?: RateLimitOverride | undefined;
  /** Whether the token's owner would be one active user in a month too many (client-plane.md 8.4). */
  readonly overMonthlyLimit?: boolean;
}

/** Where a request comes from. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

export const requesterKey = createContextKey<Requester | undefined>(undefined, {
  description: 'who calls',
});

/** The caller of a method that declares an access which needs a token. */
export function requester(context: HandlerContext): Requester {
  const caller = context.values.get(requesterKey);
  if (!caller) throw refuse.missingToken('Missing access token');
  return caller;
}

/** From where the client called, as limits count it, see `networkOf`; empty where no gateway stands between. */
export function clientAddress(context: HandlerContext): string {
  return networkOf(context.requestHeader.get(headers.clientAddress) ?? '');
}
