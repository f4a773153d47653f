import { createHmac } from 'node:crypto';
import { declareCollection } from '@steward/store';
import type { RightsLimit } from './rights-limit.ts';

/** The tokens that others have replaced, and that end when the others are first used. */
export interface Superseded {
  /** The digest of the refresh token. */
  refresh: string;
  /** The digest of the access token that came with it. */
  access: string;
}

/** A refresh token. Only its digest is stored, as of access tokens. */
export interface RefreshToken {
  /** The token's digest, see `tokenDigest`. */
  _id: string;
  user_id: string;
  device_id: string;
  /** The number of the login on its device that it belongs to, see `Device.logins`. */
  login: number;
  /** The account's session epoch in which it was created. */
  epoch: number;
  /** Milliseconds since the Unix epoch. */
  created_ts: number;
  /** The digest of the access token that came with it. */
  access: string;
  /** What limits the rights of its access tokens; absent or null for nothing. */
  rights_limit?: RightsLimit;
  /** The seed from which, with the token itself, its successors are derived; absent until it is used. */
  seed?: string;
  /** The tokens that it replaces; absent for the first one of a session, and once they have ended. */
  supersedes?: Superseded;
}

/** The bytes of a seed: as many as a token has. */
export const SEED_BYTES = 32;

/**
 * The successors of a refresh token. They are the same each time it is used until one of them is, so that a lost
 * response can be repeated. Neither a reader of the database nor an attacker with a deleted refresh token can derive
 * them: the reader lacks the token, and the seed was deleted with the token.
 */
export function successorsOf(refreshToken: string, seed: string) {
  const derive = (purpose: string) =>
    createHmac('sha256', Buffer.from(seed, 'base64url'))
      .update(`${purpose} ${refreshToken}`)
      .digest('base64url');
  return { accessToken: derive('access'), refreshToken: derive('refresh') };
}

/** Refresh tokens, by their digest. */
export const refreshTokens = declareCollection<RefreshToken>({
  name: 'user.refresh_tokens',
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
      name: 'by_epoch',
      keys: [
        ['user_id', 1],
        ['epoch', 1],
      ],
    },
  ],
});
