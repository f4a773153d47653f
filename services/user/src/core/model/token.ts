import { hash } from 'node:crypto';
import type { Random } from '@steward/kernel';
import { declareCollection } from '@steward/store';
import type { Account } from './account.ts';
import type { Superseded } from './refresh-token.ts';
import type { RightsLimit } from './rights-limit.ts';

/** An access token. Only its digest is stored, so a reader of the database cannot act as a user. */
export interface Token {
  /** SHA-256 of the token, in URL-safe base64. */
  _id: string;
  /** The account it acts as. */
  user_id: string;
  /** The account it belongs to; differs when an administrator acts as a user. */
  owner: string;
  /** The device of the session; null for tokens without one. */
  device_id: string | null;
  /** The number of the login on its device that it belongs to, see `Device.logins`; absent for tokens of no login. */
  login?: number;
  /** The owner's session epoch in which it was created. */
  epoch: number;
  /** The session epoch of the account it acts as, unless that is the owner's; a deactivation matches it. */
  user_epoch?: number;
  /** The owner's term as an administrator in which it was created, see `Account.admin_term`; absent for 0. */
  admin_term?: number;
  /** Milliseconds since the Unix epoch. */
  created_ts: number;
  /** Until when it is valid, in milliseconds since the Unix epoch; null for ever. */
  valid_until_ms: number | null;
  /** The tokens that it replaces; absent unless it is a renewal, and once they have ended. */
  supersedes?: Superseded;
  /** When its user last passed user-interactive authentication with it, in milliseconds since the Unix epoch. */
  proved_ts?: number;
  /** What limits its rights; absent or null for nothing. */
  rights_limit?: RightsLimit;
  /** Whether it is a token of the issuer of delegated authentication, which is asked about it; absent means no. */
  delegated?: boolean;
}

/** 256 bits, as many as the digest has. */
const TOKEN_BYTES = 32;

/** A new token, in URL-safe base64. */
export function newToken(random: Random): string {
  return random.bytes(TOKEN_BYTES).toString('base64url');
}

/** The digest under which a token is stored. */
export function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * Whether the token's session has not been ended by its owner's account. A token with which an administrator acts as
 * another user ends with the administrator's term, for good.
 */
export function isAlive(token: Token, owner: Account): boolean {
  if (!isInEpoch(token, owner)) return false;
  return !actsAsOther(token) || (token.admin_term ?? 0) === (owner.admin_term ?? 0);
}

/** Whether an account has not ended a session, which began in an epoch of it. */
export function isInEpoch(
  session: { readonly _id: string; readonly epoch: number },
  { deactivated, sessions: { epoch, except } }: Account,
): boolean {
  return !deactivated && (session.epoch >= epoch || session._id === except);
}

/** Whether the token is one with which an administrator acts as another user. */
export function actsAsOther({ user_id: userId, owner }: Pick<Token, 'user_id' | 'owner'>): boolean {
  return owner !== userId;
}

/**
 * Until when a token is valid, in milliseconds since the Unix epoch; null for ever.
 *
 * @param maxLifetimeMs the longest lifetime of tokens with which administrators act as others; undefined for no limit
 */
export function expiryOf(token: Token, maxLifetimeMs: number | undefined): number | null {
  const limit = actsAsOther(token) && maxLifetimeMs !== undefined ? token.created_ts + maxLifetimeMs : null;
  return earlier(token.valid_until_ms, limit);
}

/** The earlier of two times, of which null stands for never. */
export function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Access tokens, by their digest. */
export const tokens = declareCollection<Token>({
  name: 'user.tokens',
  shardKey: '_id',
  indexes: [
    {
      name: 'by_device',
      keys: [
        ['user_id', 1],
        ['device_id', 1],
      ],
    },
    {
      name: 'by_owner',
      keys: [
        ['owner', 1],
        ['epoch', 1],
      ],
    },
  ],
});
