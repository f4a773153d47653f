import { Conflict, NOT_FLUSHED, Unavailable, type WritesAlong } from '@steward/store';
import type { Deps } from './deps.ts';
import type { NewEvent } from './feed/feed-event.ts';
import type { AuditEntry } from './model/audit-entry.ts';

/** Ends the id of an entry that adds the outcome of another one, whose id is the part before it. */
const AMENDING = '-amended';

/** What recording an entry needs. */
export type RecordEntryDeps = Pick<Deps, 'auditLog' | 'clock' | 'feedAppender'> & {
  readonly capabilities: Pick<Deps['capabilities'], 'insertsAlongCommit'>;
};

/**
 * Stores an entry of the audit log, and appends its event to the feed before, or in the same commit: an entry with an outcome in the
 * log has its event. It may be repeated, and an entry replaces the one without an outcome. An outcome that arrives after its
 * entry was sealed is stored as a further entry, because the hash chain contains the first.
 *
 * @param event the event that it makes; undefined for none
 */
export async function recordEntry(
  deps: RecordEntryDeps,
  entry: AuditEntry,
  event: NewEvent | undefined,
): Promise<void> {
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
  { auditLog, capabilities }: RecordEntryDeps,
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
  const open = { _id, outcome: 'unknown', 'chain.sealed': null } as const;
  if (isOpen) {
    // A later fact without an outcome has further targets, at its end.
    const last = entry.targets.at(-1);
    if (last === undefined) return;
    await auditLog.updateOne(
      { ...open, targets: { $ne: last } },
      { $set: { targets: entry.targets } },
      NOT_FLUSHED,
    );
    return;
  }
  const { matchedCount } = await auditLog.updateOne(open, { $set: rest }, NOT_FLUSHED);
  if (matchedCount > 0) return;
  // It has its outcome already, or is sealed.
  const sealed = await auditLog.findOne({ _id, outcome: 'unknown' }, { projection: { outcome: 1 } });
  if (sealed) await isNew(auditLog, { ...rest, _id: `${_id}${AMENDING}`, amends: _id });
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
