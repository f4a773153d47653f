import type { AuditRecorded } from '@steward/proto/steward/event/v1/audit_pb.ts';
import { eventId, type NewEvent } from '../core/feed/feed-event.ts';
import { unresolvedEvent } from '../core/feed/unresolved-event.ts';
import type { AuditEntry } from '../core/model/audit-entry.ts';
import { type RecordEntryDeps, recordEntry } from '../core/record-entry.ts';

/** Records the entry of an administrative request, and its event. Its two facts may arrive in any order and any number of times: each is complete. */
export async function onAuditRecorded(
  deps: RecordEntryDeps,
  fact: AuditRecorded,
  timeMs: number,
): Promise<void> {
  await recordEntry(deps, toEntry(fact, timeMs), eventOfRequest(fact));
}

/** The event that a request makes, as its fact with the outcome says; undefined if it makes none. */
function eventOfRequest(fact: AuditRecorded): NewEvent | undefined {
  const { action, entryId, eventType: type, outcome } = fact;
  if (type === '' || (outcome !== 'ok' && outcome !== 'failed')) return undefined;
  const event = {
    id: eventId(entryId),
    type,
    time: Number(fact.endedTs),
    actor: fact.actor || null,
    requestId: fact.requestId || null,
    taskId: fact.taskId || null,
    targets: fact.targets,
    data: fact.eventDataJson || '{}',
  };
  return outcome === 'ok' ? event : unresolvedEvent(event, { action, event_type: type, outcome });
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
    ...(fact.eventType === '' ? {} : { event_type: fact.eventType }),
    ...(fact.reason === '' ? {} : { reason: fact.reason }),
  };
}
