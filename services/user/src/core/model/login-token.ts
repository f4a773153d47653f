import { createHmac } from 'node:crypto';
import { declareCollection } from '@steward/store';
import { PROVIDER_SESSION_INDEXES, type ProviderSession } from './provider-session.ts';
import type { RightsLimit } from './rights-limit.ts';

/** A token with which an app begins a session of a user who has signed in elsewhere. Only its digest is stored. */
export interface LoginToken extends Partial<ProviderSession> {
  /** The token's digest, see `tokenDigest`. */
  _id: string;
  user_id: string;
  /** The account's session epoch in which it was made: it ends with all sessions of the user. */
  epoch: number;
  /** From which, with the token itself, the access token of the session is derived, see `accessTokenOf`. */
  seed: string;
  /** What limits the rights of the session; absent or null for nothing. */
  rights_limit?: RightsLimit;
  /** What the provider says about the user's roles. */
  provided: ProvidedRights;
  /** Of a token for the console: only there it counts. */
  console?: {
    /** The digest of the secret in the cookie of the browser. */
    readonly browser: string;
    /** Whether the user has just proved their identity again. */
    readonly step_up: boolean;
  };
  /** Milliseconds since the Unix epoch. */
  expires_ts: number;
}

/** The roles and groups that a provider gives a user. */
export interface ProvidedRights {
  /** The id of the provider. */
  readonly provider: string;
  /** The names of the roles. */
  readonly roles: readonly string[];
  /** The names of the groups; absent for none. */
  readonly groups?: readonly string[];
  /** Whether the sign-in there counts as a second factor; absent means no. */
  readonly second_factor?: boolean;
}

/** How long a token is valid, in milliseconds. */
export const LOGIN_TOKEN_LIFE_MS = 2 * 60_000;

/** The bytes of a seed: as many as a token has. */
export const LOGIN_SEED_BYTES = 32;

/**
 * The access token of the session that a login token begins. It is the same for each use, so that the document of the access token can
 * be inserted once only: the login token is spent in the commit that makes the session. Neither a reader of the database nor one of
 * the address bar can derive it: the reader lacks the token, and the seed is deleted with the login token.
 */
export function accessTokenOf(loginToken: string, seed: string): string {
  return createHmac('sha256', Buffer.from(seed, 'base64url'))
    .update(`login ${loginToken}`)
    .digest('base64url');
}

/** Login tokens, by their digest. */
export const loginTokens = declareCollection<LoginToken>({
  name: 'user.login_tokens',
  shardKey: '_id',
  indexes: [{ name: 'expiry', keys: [['expires_ts', 1]] }, ...PROVIDER_SESSION_INDEXES],
});
