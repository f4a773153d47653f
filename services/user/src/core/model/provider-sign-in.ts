import { declareCollection } from '@steward/store';

/** A sign-in that has gone to an identity provider and has not come back. The secrets of both are stored as digests. */
export interface ProviderSignIn {
  /** The digest of the `state`, see `tokenDigest`. */
  _id: string;
  /** The id of the provider. */
  provider: string;
  /** The digest of the secret in the cookie of the browser. */
  browser: string;
  /** The app that gets the result. */
  redirect_url: string;
  /** Milliseconds since the Unix epoch. */
  expires_ts: number;
}

/** How long a user may take at the provider, in milliseconds. */
export const PROVIDER_SIGN_IN_LIFE_MS = 15 * 60_000;

/** Sign-ins with identity providers, by the digest of their state. */
export const providerSignIns = declareCollection<ProviderSignIn>({
  name: 'user.provider_sign_ins',
  shardKey: '_id',
  indexes: [{ name: 'expiry', keys: [['expires_ts', 1]] }],
});
