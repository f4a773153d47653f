import { declareCollection } from '@steward/store';

/** A token with which a user proves to another program who they are. Only its digest is stored. */
export interface OpenIdToken {
  /** The token's digest, see `tokenDigest`. */
  _id: string;
  user_id: string;
  /** The account's session epoch in which it was created. */
  epoch: number;
  /** Milliseconds since the Unix epoch. */
  expires_ts: number;
}

/** How long a token is valid. */
export const OPENID_TOKEN_LIFE_S = 3600;

/** OpenID tokens, by their digest. */
export const openIdTokens = declareCollection<OpenIdToken>({
  name: 'user.openid_tokens',
  shardKey: '_id',
  indexes: [
    { name: 'expiry', keys: [['expires_ts', 1]] },
    {
      name: 'by_user',
      keys: [
        ['user_id', 1],
        ['expires_ts', 1],
      ],
    },
  ],
});
