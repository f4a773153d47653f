/** What the hash chain was at one of its entries. */
export interface Checkpoint {
  /** The number of the entry. */
  readonly number: number;
  /** The hash of the entry. */
  readonly hash: string;
  /** When it was made, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** The latest time of the entries up to this one, in milliseconds since the Unix epoch. It never decreases. */
  readonly newest_ts: number;
  /** The number of the previous checkpoint; 0 for the first. */
  readonly previous: number;
  /** The id of the key that signed it; null without a signature. */
  readonly key_id: string | null;
  /** In base64; null without a key. */
  readonly signature: string | null;
}
