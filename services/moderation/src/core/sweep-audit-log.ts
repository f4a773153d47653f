import { timePrefix } from '@steward/audit';
import type { Deps } from './deps.ts';

/** How many entries are removed at a time. */
const BATCH = 500;

/** Removes the entries that are older than they are kept, in batches. Safe to do twice and on two machines at once. */
export async function sweepAuditLog({
  auditLog,
  auditRetentionMs,
  clock,
}: Pick<Deps, 'auditLog' | 'auditRetentionMs' | 'clock'>): Promise<void> {
  const oldest = timePrefix(Math.max(0, clock.now() - auditRetentionMs));
  for (;;) {
    const batch = await auditLog
      .find({ _id: { $lt: oldest } }, { sort: { _id: 1 }, limit: BATCH, projection: { _id: 1 } })
      .toArray();
    const last = batch.at(-1);
    if (last) await auditLog.deleteMany({ _id: { $lte: last._id } });
    if (batch.length < BATCH) return;
  }
}
