import type { AuditRecorded } from '@steward/proto/steward/event/v1/audit_pb.ts';
import { Conflict, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import type { AuditEntry } from '../core/model/audit-entry.ts';

/**
 * Stores the entry of an administrative request. Its two facts may arrive in any order and any number of times:
 * each is complete, and the one with an outcome replaces the one without.
 */
export async function onAuditRecorded(
  { auditLog }: Pick<Deps, 'auditLog'>,
  fact: AuditRecorded,
  timeMs: number,
): Promise<void> {
  const entry = toEntry(fact, timeMs);
  try {
    // What loses this write loses the removal of the fact from the outbox too, and the fact is delivered again.
    await auditLog.insertOne(entry, NOT_FLUSHED);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const { _id, ...rest } = entry;
    if (entry.outcome !== 'unknown') await auditLog.updateOne({ _id }, { $set: rest }, NOT_FLUSHED);
  }
}

function toEntry(fact: AuditRecorded, timeMs: number): AuditEntry {
  return {
    _id: fact.entryId,
    ts: timeMs,
    action: fact.action,
    actor: fact.actor,
    acting_as: fact.actingAs || null,
    token_kind: fact.tokenKind,
    device_id: fact.deviceId || null,
    address: fact.address,
    request_id: fact.requestId,
    targets: fact.targets,
    request: fact.requestJson,
    request_truncated: fact.requestTruncated,
    outcome: fact.outcome,
    status: fact.status || null,
    errcode: fact.errcode || null,
    task_id: fact.taskId || null,
    ended_ts: Number(fact.endedTs) || null,
    ...(fact.attempts > 1 ? { attempts: fact.attempts } : {}),
    ...(fact.reason === '' ? {} : { reason: fact.reason }),
  };
}
