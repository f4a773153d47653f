import { declareCollection } from '@steward/store';

/** A nonce that was spent; deleted some time after it would have expired. */
export interface SpentNonce {
  /** The nonce. */
  _id: string;
  /** Milliseconds since the Unix epoch. */
  expires_ts: number;
}

/** Nonces of shared-secret registration that were spent. */
export const spentNonces = declareCollection<SpentNonce>({
  name: 'user.spent_nonces',
  shardKey: '_id',
  indexes: [{ name: 'expiry', keys: [['expires_ts', 1]] }],
});
