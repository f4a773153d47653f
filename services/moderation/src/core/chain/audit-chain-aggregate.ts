import { FIRST_HASH } from '@steward/audit/chain';
import { defineAggregate } from '@steward/service';
import { Conflict, NOT_FLUSHED } from '@steward/store';
import { type AuditChain, CHAIN_ID, type CheckpointEffect, type NumberEffect } from '../model/audit-chain.ts';
import { checkpointId } from '../model/audit-checkpoint.ts';
import type { ChainDeps } from './chain-deps.ts';

/** The chain: its commit decides which entries have which numbers; its effects write them to the entries. */
export const auditChainAggregate = defineAggregate<AuditChain, NumberEffect | CheckpointEffect, ChainDeps>({
  collection: (deps) => deps.auditChains,
  effects: {
    async number({ auditLog }, _, effects) {
      await auditLog.bulkWrite(
        effects.map(({ entry, number, hash }) => ({
          updateOne: {
            filter: { _id: entry },
            update: { $set: { 'chain.number': number, 'chain.hash': hash } },
          },
        })),
        { ...NOT_FLUSHED, ordered: false },
      );
    },
    async checkpoint({ auditCheckpoints }, _, effects) {
      for (const { id: _id, kind: _kind, ...checkpoint } of effects) {
        try {
          await auditCheckpoints.insertOne({ _id: checkpointId(checkpoint.number), ...checkpoint });
        } catch (error) {
          // It was stored before a crash, or by another process.
          if (!(error instanceof Conflict)) throw error;
        }
      }
    },
  },
});

/** The end of the chain, whose entries all have their numbers; undefined before the first entry. */
export function loadChain(deps: ChainDeps): Promise<AuditChain | undefined> {
  return auditChainAggregate.load(deps, CHAIN_ID);
}

/** The end of the chain was removed from the store, while the log has entries with numbers. */
class ChainLost extends Error {
  override readonly name = 'ChainLost';
}

/**
 * Starts the chain, unless it exists.
 *
 * @throws ChainLost when the log has numbered entries, or checkpoints, of a chain that is gone
 */
export async function startChain(deps: ChainDeps): Promise<void> {
  const exists = async () => (await deps.auditChains.findOne({ _id: CHAIN_ID })) !== null;
  if (await exists()) return;
  const hasTraces =
    (await deps.auditLog.findOne({ 'chain.number': { $gt: 0 } }, { projection: { _id: 1 } })) !== null ||
    (await deps.auditCheckpoints.findOne({})) !== null;
  // Another process may have started it between the look-ups.
  if (hasTraces && !(await exists()))
    throw new ChainLost(
      'The end of the hash chain of the audit log is missing, so that no entry can be appended',
    );
  if (hasTraces) return;
  try {
    await auditChainAggregate.create(deps, {
      _id: CHAIN_ID,
      version: 0,
      number: 0,
      hash: FIRST_HASH,
      newest_ts: 0,
      checkpoint: 0,
      checkpoint_ts: deps.clock.now(),
      cut: 0,
      cut_key_id: null,
      cut_signature: null,
    });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
