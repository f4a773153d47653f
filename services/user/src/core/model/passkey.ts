import { declareCollection } from '@steward/store';
import type { RightsLimit } from './rights-limit.ts';

/** The maximum of passkeys of an account. */
export const MAX_PASSKEYS = 20;

/** How long a challenge can be answered, in milliseconds. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;

/** A passkey of an account (WebAuthn), of which the server has the public key. */
export interface Passkey {
  /** Random; by which clients name it. */
  readonly id: string;
  /** The id of the credential, in URL-safe base64; unique over all accounts. */
  readonly credential: string;
  /** The public key (COSE), in URL-safe base64. */
  readonly public_key: string;
  /** How often the authenticator says it was used; 0 for one that does not count. */
  readonly counter: number;
  readonly name: string;
  /** Milliseconds since the Unix epoch. */
  readonly created_ts: number;
  /** When it was last used, in milliseconds since the Unix epoch; null if it was not. */
  readonly used_ts: number | null;
  /** What limits the rights of sessions that begin with it; absent or null for nothing. */
  readonly rights_limit?: RightsLimit;
}

/** A challenge that a browser has not answered yet. It works once. */
export interface PasskeyChallenge {
  /** Its digest, see `tokenDigest`. */
  _id: string;
  /** Whether a passkey is to be added, or to be proved. */
  purpose: 'add' | 'prove';
  /** The digest of the session in which it works; null where there is none yet. */
  session: string | null;
  /** Milliseconds since the Unix epoch. */
  expires_ts: number;
}

/** Challenges for passkeys, by their digest. */
export const passkeyChallenges = declareCollection<PasskeyChallenge>({
  name: 'user.passkey_challenges',
  shardKey: '_id',
  indexes: [{ name: 'expiry', keys: [['expires_ts', 1]] }],
});
