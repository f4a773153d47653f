import type { Checkpoint } from '@steward/audit/chain';
import { type Aggregate, declareAggregate, type PendingEffect } from '@steward/service';

/** The id of the only chain. */
export const CHAIN_ID = 'audit_log';

/** The end of the hash chain over the audit log; each commit appends some entries, or a checkpoint, or both. */
export interface AuditChain extends Aggregate {
  readonly _id: typeof CHAIN_ID;
  /** The number of the last entry; 0 before the first. */
  readonly number: number;
  /** The hash of the last entry; that of the start of a chain before the first. */
  readonly hash: string;
  /** The latest time of the entries, in milliseconds since the Unix epoch. */
  readonly newest_ts: number;
  /** The number of the last checkpoint; 0 before the first. */
  readonly checkpoint: number;
  /** When that was made; before the first, when the chain was started. In milliseconds since the Unix epoch. */
  readonly checkpoint_ts: number;
  /** The number of the checkpoint up to which entries are past their retention; 0 for none. */
  readonly cut: number;
  /** The id of the key that signed the cut; null without a signature. */
  readonly cut_key_id: string | null;
  /** In base64; null unless the cut is at a checkpoint with a valid signature, and there is a key. */
  readonly cut_signature: string | null;
}

/** An entry that was appended, to be given its number and hash. */
export interface NumberEffect extends PendingEffect {
  readonly kind: 'number';
  /** The id of the entry. */
  readonly entry: string;
  readonly number: number;
  readonly hash: string;
}

/** A checkpoint that was made, to be stored. */
export interface CheckpointEffect extends PendingEffect, Checkpoint {
  readonly kind: 'checkpoint';
}

/** The chain, in one document. */
export const auditChains = declareAggregate<AuditChain>({
  name: 'moderation.audit_chain',
  shardKey: null,
  indexes: [],
});
