import { type Aggregate, declareAggregate } from '@steward/service';

/** A secret of a token, of which only the digest is stored. */
export interface Secret {
  /** SHA-256 of the secret, in URL-safe base64. */
  digest: string;
  /** Until when it works, in milliseconds since the Unix epoch; null for the current one, which works as long as the token. */
  until: number | null;
}

/**
 * An automation token: the credential of a program, which belongs to no account. The document is the aggregate, so making,
 * rotating and revoking one is a single commit.
 */
export interface AutomationToken extends Aggregate {
  /** 28 hexadecimal digits, of which the first 12 are the time of its creation, see `newTimedId`. */
  _id: string;
  version: number;
  /** What it is for. */
  name: string;
  /** The role that it has, as accounts refer to it, see `roleReference`; `admin` for a server administrator; absent for none. */
  role?: string;
  /**
   * The names of its scopes, see `scopeName`. With a role: the most that the role gives, which is what its maker had; null for
   * a maker with all scopes, those of later releases included.
   */
  scopes: readonly string[] | null;
  /** Milliseconds since the Unix epoch. */
  created_ts: number;
  /** Who made it: a user id, or the name of an automation token or a client of services, see `Requester.owner`. */
  created_by: string;
  /** When it expires, in milliseconds since the Unix epoch; null for never. */
  expires_ts: number | null;
  /** IP addresses, and ranges in CIDR notation, from which it is accepted; all when empty. */
  allowed_addresses: readonly string[];
  /** The present secret, and the previous one if it may still work. */
  secrets: readonly Secret[];
  /** Its last use; absent when it was never used. */
  last_used?: { ts: number; address: string };
}

/** The maximum of tokens: role deletions count them, and all may be listed. */
export const MAX_AUTOMATION_TOKENS = 1_000;

/** How long a token may be valid, in milliseconds: ten years. */
export const MAX_LIFETIME_MS = 315_360_000_000;

/** How long a rotation may leave the previous secret valid, in milliseconds: 30 days. */
export const MAX_OVERLAP_MS = 2_592_000_000;

/** The name of a token as a caller, see `Requester.userId`. No user id looks like it. */
export function automationTokenName(id: string): string {
  return `token:${id}`;
}

/** Whether a token has expired. */
export function isOver({ expires_ts: expires }: Pick<AutomationToken, 'expires_ts'>, now: number): boolean {
  return expires !== null && expires <= now;
}

/** Automation tokens, by their ids: few enough for one shard, and found by any of their secrets. */
export const automationTokens = declareAggregate<AutomationToken, 'last_used'>({
  name: 'user.automation_tokens',
  shardKey: null,
  arrays: ['secrets'],
  indexes: [
    { name: 'by_digest', keys: [['secrets.digest', 1]] },
    { name: 'by_role', keys: [['role', 1]], sparse: true },
    { name: 'by_expiry', keys: [['expires_ts', 1]] },
  ],
  unversioned: ['last_used'],
});
