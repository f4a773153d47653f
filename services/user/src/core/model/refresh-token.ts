import { createHmac } from 'node:crypto';
import { declareCollection } from '@steward/store';

/** The tokens whose place others have taken, and that end when the others are first used. */
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
  /** Which login on its device it is of, see `Device.logins`. */
  login: number;
  /** The account's session epoch in which it was made. */
  epoch: number;
  /** Milliseconds since the Unix epoch. */
  created_ts: number;
  /** The digest of the access token that came with it. */
  access: string;
  /** What its successors are made from, together with the token itself; absent until it is used. */
  seed?: string;
  /** What it takes the place of; absent at the first of a session, and once that has ended. */
  supersedes?: Superseded;
}

/** The bytes of a seed: as many as a token has. */
export const SEED_BYTES = 32;

/**
 * The tokens that follow a refresh token. They are the same however often it is used before they are,
 * so that an answer that got lost is given again. Neither who reads the database nor who learns a refresh
 * token that is gone can make them: the one lacks the token, and the seed went with it.
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
