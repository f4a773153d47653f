import { declareCollection } from '@steward/store';

/**
 * Bytes that may belong to no document: written down before the first of them is stored, struck out when
 * a document names them. A sweep removes those that a dead process left behind.
 */
export interface Claim {
  /** The key of the bytes, see `BlobStore`. */
  readonly _id: string;
  /** In milliseconds since the Unix epoch. */
  readonly since_ts: number;
}

/** Bytes that may belong to no document, by their key. */
export const claims = declareCollection<Claim>({
  name: 'media.claims',
  shardKey: '_id',
  indexes: [{ name: 'since', keys: [['since_ts', 1]] }],
});
