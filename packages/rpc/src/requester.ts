import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { headers } from './headers.ts';
import { networkOf } from './network-of.ts';

/** A limit that replaces the server's for one account (behaviour.md 2.11). */
export interface RateLimitOverride {
  /** Sustained actions per second; 0 for no limit. */
  readonly messagesPerSecond: number;
  /** Actions at once. */
  readonly burstCount: number;
}

/**
 * The credential of a caller who has no access token: an automation token, the cookie of an administrator session, or the
 * credential of a client of services.
 */
export type CredentialKind = 'automation_token' | 'session' | 'client';

/** The requester of a call, as its token identifies it. */
export interface Requester {
  /** The account that the call acts as; for automation tokens and clients a name that is not a user id: `token:<id>`, `client:<name>`. */
  readonly userId: string;
  /** The account that the token belongs to; differs where an administrator acts as a user. */
  readonly owner: string;
  /** Absent for an access token. */
  readonly kind?: CredentialKind;
  /** When the user of an administrator session last proved their identity, in milliseconds since the Unix epoch. */
  readonly provedTs?: number;
  /** How the user of an administrator session can prove their identity again; empty when they cannot. */
  readonly proofStages?: string[];
  /** The device of the session; tokens made for administrators have none. */
  readonly deviceId: string | undefined;
  /** The digest of the token, which identifies the session. */
  readonly tokenId: string;
  /** Whether it is a server administrator, who has all scopes. */
  readonly admin: boolean;
  /** The scopes of a caller who is not an administrator; absent for none. */
  readonly scopes?: Scope[];
  /**
   * Whether the account, or the one that the token belongs to, has a second factor which the credential does not prove.
   * Then the caller has no administrative rights.
   */
  readonly lacksSecondFactor?: boolean;
  /**
   * Whether the server requires a second factor of the account, or the one that the token belongs to, which neither of them has and the
   * credential does not replace. Then the caller has no administrative rights.
   */
  readonly mustEnrol?: boolean;
  /**
   * The scopes that the account has and the caller does not: all of them while the account is suspended, otherwise those that
   * the maker of the credential did not have. Absent for none.
   */
  readonly withheldScopes?: Scope[];
  readonly guest: boolean;
  /** Whether events of the account are hidden from all others, unnoticed by its user (client-plane.md 8.3). */
  readonly shadowBanned: boolean;
  /** Whether the account may only read, and leave rooms. */
  readonly suspended: boolean;
  /** The account's own limit on messages; unset when the server's applies. */
  readonly rateLimit?: RateLimitOverride | undefined;
  /** The limit of the token's owner, which applies to everything but messages. */
  readonly ownerRateLimit?: RateLimitOverride | undefined;
  /** The account's own quotas, by kind, see `Quotas`; unset or without a kind where the server's apply. */
  readonly quotas?: Readonly<Record<string, number>>;
  /** Whether the token's owner would exceed the limit of monthly active users (client-plane.md 8.4). */
  readonly overMonthlyLimit?: boolean;
}

/** Whether a caller is an account, and no automation token or client of services, which are members of no room. */
export function hasAccount({ kind }: Pick<Requester, 'kind'>): boolean {
  return kind !== 'automation_token' && kind !== 'client';
}

/** The client of a call. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
}

export const requesterKey = createContextKey<Requester | undefined>(undefined, {
  description: 'who calls',
});

/** The requester of a method whose access needs a token. */
export function requester(context: HandlerContext): Requester {
  const caller = context.values.get(requesterKey);
  if (!caller) throw refuse.missingToken('Missing access token');
  return caller;
}

/** The client of a call; `undefined` for a call without a gateway. */
export function clientOf(header: Headers): Client | undefined {
  const address = header.get(headers.clientAddress);
  if (address === null) return undefined;
  return { address, userAgent: decodeURIComponent(header.get(headers.clientUserAgent) ?? '') };
}

/** The address of the client as the key of limits, see `networkOf`; empty for a call without a gateway. */
export function clientAddress(context: HandlerContext): string {
  return networkOf(context.requestHeader.get(headers.clientAddress) ?? '');
}
