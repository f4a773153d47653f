import type { Checkpoint } from '@steward/audit/chain';
import { type Doc, declareCollection } from '@steward/store';

/** What the hash chain was at one of its entries, as it is stored. */
export interface AuditCheckpoint extends Doc, Checkpoint {
  /** See `checkpointId`. */
  readonly _id: string;
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
