import { type Doc, declareCollection } from '@steward/store';

/** What the hash chain was at one of its entries. */
export interface AuditCheckpoint extends Doc {
  /** See `checkpointId`. */
  readonly _id: string;
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

/** The number of digits of an id. */
const DIGITS = 16;

/** The id of the checkpoint at a number; ids sort as numbers do. */
export function checkpointId(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

/** The checkpoints of the hash chain. */
export const auditCheckpoints = declareCollection<AuditCheckpoint>({
  name: 'moderation.audit_checkpoints',
  shardKey: null,
  indexes: [{ name: 'by_newest_ts', keys: [['newest_ts', 1]] }],
});
