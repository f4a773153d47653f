import { declareCollection } from '@steward/store';

/**
 * A record of bytes that may belong to no document. It is written before their first byte is stored, and deleted
 * when a document names them. A sweep removes the bytes that a crashed process left behind.
 */
export interface Claim {
  /** The key of the bytes, see `BlobStore`. */
  readonly _id: string;
  /** In milliseconds since the Unix epoch. */
  readonly since_ts: number;
}

/** The claims, by the key of their bytes. */
export const claims = declareCollection<Claim>({
  name: 'media.claims',
  shardKey: '_id',
  indexes: [{ name: 'since', keys: [['since_ts', 1]] }],
});
