import { isSignedBy } from '@steward/audit/chain';
import { NOT_FLUSHED, removeInBatches } from '@steward/store';
import { auditChainAggregate, loadChain } from './chain/audit-chain-aggregate.ts';
import type { ChainDeps } from './chain/chain-deps.ts';
import type { Deps } from './deps.ts';
import { type AuditChain, CHAIN_ID } from './model/audit-chain.ts';
import { type AuditCheckpoint, checkpointId } from './model/audit-checkpoint.ts';

/** The number of entries in one removal. */
const BATCH = 500;

/**
 * Removes the entries up to the last checkpoint before which all are past their retention, in batches, and keeps that
 * checkpoint. It is idempotent, also in several processes concurrently: the chain states first that it is cut, so that a
 * part of a removal leaves no gap.
 */
export async function sweepAuditLog(deps: ChainDeps & Pick<Deps, 'auditRetentionMs'>): Promise<void> {
  const { auditCheckpoints, auditLog, auditRetentionMs, clock } = deps;
  const chain = await loadChain(deps);
  if (!chain) return;
  const last = await auditCheckpoints.findOne(
    { newest_ts: { $lt: clock.now() - auditRetentionMs } },
    { sort: { newest_ts: -1, _id: -1 } },
  );
  // A checkpoint that the chain does not know is not a reason to remove anything.
  const isLater = last !== null && last.number <= chain.checkpoint && last.number > chain.cut;
  const cut = isLater ? last.number : chain.cut;
  if (isLater) {
    const set = cutAt(deps, last);
    await auditChainAggregate.change(
      deps,
      CHAIN_ID,
      (current) => (cut > current.cut ? { set } : undefined),
      NOT_FLUSHED,
    );
  }
  await removeInBatches(
    auditLog,
    { 'chain.number': { $lte: cut } },
    { sort: { 'chain.number': 1, _id: 1 }, size: BATCH },
  );
  await auditCheckpoints.deleteMany({ _id: { $lt: checkpointId(cut) } });
}

/** A cut of the chain at a checkpoint: signed if that is, because another one states a time that anyone can have changed. */
function cutAt(
  { serverName, signingKeys }: ChainDeps,
  checkpoint: AuditCheckpoint,
): Pick<AuditChain, 'cut' | 'cut_key_id' | 'cut_signature'> {
  const { number, hash, key_id: signer, signature } = checkpoint;
  const key = signer === null ? undefined : signingKeys.publicKeys.get(signer);
  if (!key || signature === null || !isSignedBy(key, serverName, checkpoint, signature))
    return { cut: number, cut_key_id: null, cut_signature: null };
  const { keyId: key_id, signCut } = signingKeys;
  return { cut: number, cut_key_id: key_id, cut_signature: signCut(serverName, { number, hash, key_id }) };
}
