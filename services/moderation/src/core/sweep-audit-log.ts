import { timePrefix } from '@steward/audit';
import type { Deps } from './deps.ts';

/** The number of entries in one removal. */
const BATCH = 500;

/** Removes the entries past their retention, in batches. It is idempotent, also in several processes concurrently. */
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
