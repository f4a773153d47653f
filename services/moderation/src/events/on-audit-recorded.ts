import type { AuditRecorded } from '@steward/proto/steward/event/v1/audit_pb.ts';
import { Conflict, NOT_FLUSHED, Unavailable, type WritesAlong } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import { eventId, type NewEvent } from '../core/feed/feed-event.ts';
import { unresolvedEvent } from '../core/feed/unresolved-event.ts';
import type { AuditEntry } from '../core/model/audit-entry.ts';

/** Ends the id of an entry that adds the outcome of another one, whose id is the part before it. */
const AMENDING = '-amended';

type OnAuditRecordedDeps = Pick<Deps, 'auditLog' | 'clock' | 'feedAppender'> & {
  readonly capabilities: Pick<Deps['capabilities'], 'insertsAlongCommit'>;
};

/**
 * Stores the entry of an administrative request, and appends its event to the feed before, or in the same commit: a request
 * with an outcome in the log has its event. Its two facts may arrive in any order and any number of times: each is complete, and
 * the one with an outcome replaces the one without. An outcome that arrives after its entry was sealed is stored as a further
 * entry, because the hash chain contains the first.
 */
export async function onAuditRecorded(
  deps: OnAuditRecordedDeps,
  fact: AuditRecorded,
  timeMs: number,
): Promise<void> {
  const event = eventOfRequest(fact);
  const entry = toEntry(fact, timeMs);
  const store = () => storeEntry(deps, entry);
  try {
    if (event && (await deps.feedAppender.append(event, insertionOf(deps, entry)))) return;
  } catch (error) {
    // The fact becomes a dead letter if the feed cannot take its event, and the log has its entry.
    if (!(error instanceof Unavailable)) await store();
    throw error;
  }
  await store();
}

/** Stores an entry along with its event, where the engine can: mostly nothing of the request was stored before its outcome. */
function insertionOf(
  { auditLog, capabilities }: OnAuditRecordedDeps,
  entry: AuditEntry,
): WritesAlong | undefined {
  return capabilities.insertsAlongCommit ? auditLog.insertion([entry]) : undefined;
}

async function storeEntry(
  { auditLog, clock }: Pick<Deps, 'auditLog' | 'clock'>,
  entry: AuditEntry,
): Promise<void> {
  const { _id, ...rest } = entry;
  const isOpen = entry.outcome === 'unknown';
  // What loses this write loses the removal of the fact from the outbox too, and the fact is delivered again.
  if (await isNew(auditLog, isOpen ? { ...entry, chain: { received_ts: clock.now() } } : entry)) return;
  if (isOpen) return;
  const open = { _id, outcome: 'unknown', 'chain.sealed': null } as const;
  const { matchedCount } = await auditLog.updateOne(open, { $set: rest }, NOT_FLUSHED);
  if (matchedCount > 0) return;
  // It has its outcome already, or is sealed.
  const sealed = await auditLog.findOne({ _id, outcome: 'unknown' }, { projection: { outcome: 1 } });
  if (sealed) await isNew(auditLog, { ...rest, _id: `${_id}${AMENDING}`, amends: _id });
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

/** Stores an entry; returns whether there was none with its id. */
async function isNew(auditLog: Deps['auditLog'], entry: AuditEntry): Promise<boolean> {
  try {
    await auditLog.insertOne(entry, NOT_FLUSHED);
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return false;
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
    ...(fact.eventType === '' ? {} : { event_type: fact.eventType }),
    ...(fact.reason === '' ? {} : { reason: fact.reason }),
  };
}
