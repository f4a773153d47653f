import { NOT_FLUSHED } from '@steward/store';
import { auditChainAggregate, loadChain } from './chain/audit-chain-aggregate.ts';
import type { ChainDeps } from './chain/chain-deps.ts';
import type { Deps } from './deps.ts';
import { CHAIN_ID } from './model/audit-chain.ts';
import { checkpointId } from './model/audit-checkpoint.ts';

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
  // A checkpoint that the chain does not know is no reason to remove anything.
  const cut = last && last.number <= chain.checkpoint ? Math.max(last.number, chain.cut) : chain.cut;
  if (cut > chain.cut) {
    await auditChainAggregate.change(
      deps,
      CHAIN_ID,
      (current) => (cut > current.cut ? { set: { cut } } : undefined),
      NOT_FLUSHED,
    );
  }
  for (;;) {
    const batch = await auditLog
      .find(
        { 'chain.number': { $lte: cut } },
        { sort: { 'chain.number': 1, _id: 1 }, limit: BATCH, projection: { _id: 1 } },
      )
      .toArray();
    if (batch.length > 0) await auditLog.deleteMany({ _id: { $in: batch.map(({ _id }) => _id) } });
    if (batch.length < BATCH) break;
  }
  await auditCheckpoints.deleteMany({ _id: { $lt: checkpointId(cut) } });
}
