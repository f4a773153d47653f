import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  auditRecorded,
  type Bus,
  type OutgoingEvent,
  openOutbox,
  outgoing,
  type Report,
  startRelay,
} from '@steward/events';
import type { Clock, Random } from '@steward/kernel';
import type { AuditRecordedSchema } from '@steward/proto/steward/event/v1/audit_pb.ts';
import { NOT_FLUSHED, type Store } from '@steward/store';
import type { Meters } from '@steward/telemetry';
import { type End, type Entry, entryId } from './entry.ts';
import { type Fingerprint, openFingerprints } from './fingerprints.ts';
import { RecordedReads } from './recorded-reads.ts';
import { RefusedAttempts } from './refused-attempts.ts';

/** The name of the outbox for the facts of the trail, which all processes on one store share. */
const OUTBOX = 'audit';

/** What the ids of the facts of one entry end with. */
const BEGUN = 1;
const ENDED = 2;

/** How long an answer waits for the bus to accept the outcome, before the outbox stores it; in milliseconds. */
const PUBLICATION_WAIT_MS = 250;

/** The dependencies of the trail. */
export interface AuditTrailOptions {
  readonly store: Store;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives the failures to record an outcome; the entry then keeps `unknown`. */
  readonly report: Report;
  readonly meters?: Meters;
  /** How many refused attempts of a user and day have an entry of their own, see `RefusedAttempts`. */
  readonly maxRefusedAttempts: number;
}

/** The writing end of the audit log, in the store of the process that carries out the requests. */
export interface AuditTrail {
  /** The id and the time of a new entry. */
  newId(): Pick<Entry, 'id' | 'ts'>;
  /**
   * Records a request that is about to be carried out. It does not wait for the disk: a crash that loses this
   * record also loses every later change, and so the request itself.
   *
   * @throws Unavailable when it cannot be recorded; the request must not be carried out then
   */
  begin(entry: Entry): Promise<void>;
  /**
   * Adds targets to the record of a request that is being carried out, so that the entry has them also if the process is killed
   * before the outcome is recorded.
   *
   * @returns the entry with which the outcome is to be recorded
   * @throws Unavailable when they cannot be recorded; the request must not be carried out further then
   */
  extend(entry: Entry, targets: readonly string[]): Promise<Entry>;
  /** Records the outcome. Never throws, because the request has been carried out. */
  end(entry: Entry, end: End): Promise<void>;
  /**
   * Records, in the background and best effort, a request that was refused before it was carried out. Of many such
   * requests of one user, only some have entries, which then stand for several.
   */
  recordRefusal(entry: Entry, end: End): void;
  /**
   * Records a read before it is answered.
   *
   * @throws Unavailable when it cannot be recorded; the request must not be answered then
   */
  recordRead(entry: Entry, end: End): Promise<void>;
  /**
   * As `recordRead`, only once an hour for each session, action and targets, so that clients that read again and again do
   * not fill the log.
   *
   * @param session identifies the token
   */
  recordReadOnce(session: string, entry: Entry, end: End): Promise<void>;
  /** Identifies a secret that is a target. */
  readonly fingerprint: Fingerprint;
  /** Resolves when everything recorded so far has been published. */
  whenIdle(): Promise<void>;
  /** Waits for running writes. Facts that were not published are published after the next start. */
  close(): Promise<void>;
}

/** Starts the trail of a process. On the in-process bus, consumers must be subscribed first. */
export async function startAuditTrail(options: AuditTrailOptions): Promise<AuditTrail> {
  const { store, bus, clock, random, report, meters, maxRefusedAttempts } = options;
  const outbox = await openOutbox(store, OUTBOX);
  const fingerprint = await openFingerprints(store, random);
  const relay = await startRelay({
    store,
    service: OUTBOX,
    bus,
    clock,
    random,
    report,
    ...(meters ? { meters } : {}),
  });
  const refused = new RefusedAttempts(clock, maxRefusedAttempts);
  const reads = new RecordedReads(clock);
  const pendingWrites = new Set<Promise<void>>();
  let lastTs = 0;
  let sequence = 0;
  let lastEnd = 0;

  /** The place of an outcome among those of its process: its time, or what follows the last one. */
  const nextEnd = () => {
    lastEnd = Math.max(clock.now(), lastEnd + 1);
    return lastEnd;
  };
  const reportLoss = (entry: Entry, error: unknown) =>
    report('the outcome of an administrative request was not recorded', { entry: entry.id, error });
  const recordRead = async (entry: Entry, end: End) => {
    const fact = endOf(entry, end, clock.now(), nextEnd());
    // A fact that the bus has accepted needs no place in the outbox.
    if (await relay.publishInstead(undefined, fact, PUBLICATION_WAIT_MS)) return;
    await outbox.add([fact], NOT_FLUSHED);
    relay.notify();
  };
  return {
    newId() {
      const ts = clock.now();
      sequence = ts === lastTs ? sequence + 1 : 0;
      lastTs = ts;
      return { id: entryId(ts, sequence, random), ts };
    },
    // The relay is not notified: usually the outcome follows at once and replaces this fact.
    begin: (entry) => outbox.add([beginningOf(entry)], NOT_FLUSHED),
    async extend(entry, targets) {
      const extended: Entry = {
        ...entry,
        targets: [...new Set([...entry.targets, ...targets])],
        extensions: (entry.extensions ?? 0) + 1,
      };
      await outbox.replace(begunOf(entry), beginningOf(extended), NOT_FLUSHED);
      return extended;
    },
    async end(entry, end) {
      const begun = begunOf(entry);
      const ended = endOf(entry, end, clock.now(), nextEnd());
      try {
        // What the bus has accepted will reach the log, so the outbox need not hold it.
        if (await relay.publishInstead(begun, ended, PUBLICATION_WAIT_MS)) return;
        await outbox.replace(begun, ended, NOT_FLUSHED);
        relay.notify();
      } catch (error) {
        reportLoss(entry, error);
      }
    },
    recordRefusal(entry, end) {
      const attempts = refused.count(entry.actor);
      if (attempts === 0) return;
      const written = outbox
        .add([endOf(entry, end, clock.now(), nextEnd(), attempts)], NOT_FLUSHED)
        .then(() => relay.notify())
        .catch((error: unknown) => reportLoss(entry, error))
        .finally(() => pendingWrites.delete(written));
      pendingWrites.add(written);
    },
    recordRead,
    fingerprint,
    async recordReadOnce(session, entry, end) {
      if (!reads.isDue(session, entry)) return;
      await recordRead(entry, end);
      reads.add(session, entry);
    },
    async whenIdle() {
      await Promise.all(pendingWrites);
      await relay.whenIdle();
    },
    async close() {
      await Promise.all(pendingWrites);
      await relay.close();
    },
  };
}

/** The place of the last fact of a request without its outcome. */
function begunOf(entry: Entry): Pick<OutgoingEvent, 'id' | 'aggregate'> {
  const { extensions = 0 } = entry;
  const id = factId(entry, BEGUN);
  return { id: extensions === 0 ? id : `${id}.${extensions}`, aggregate: entry.id };
}

/** The fact of a request that is about to be carried out. */
function beginningOf(entry: Entry): OutgoingEvent {
  const fact = { targets: [...entry.targets], outcome: 'unknown' };
  return eventOf(entry, { ...begunOf(entry), sequence: 1 + (entry.extensions ?? 0) }, fact);
}

/**
 * The fact of a request that was answered at `endedTs`, in milliseconds since the Unix epoch. The facts that make events of the
 * feed are in the order of their answers for each target, the first of a request: they are those of one aggregate.
 */
function endOf(
  entry: Entry,
  { targets, event, ...end }: End,
  endedTs: number,
  sequence: number,
  attempts = 1,
): OutgoingEvent {
  const all = [...new Set([...entry.targets, ...targets])];
  const made = event ? { eventType: event.type, eventDataJson: event.dataJson } : {};
  const isEvent = entry.eventType !== '' && end.outcome !== 'refused';
  const aggregate = (isEvent && entry.targets[0]) || entry.id;
  return eventOf(
    entry,
    { id: factId(entry, ENDED), aggregate, sequence },
    { ...end, ...made, targets: all, endedTs: BigInt(endedTs), attempts },
  );
}

/** The id of a fact of an entry. */
function factId({ id }: Entry, suffix: number): string {
  return `${id}.${suffix}`;
}

function eventOf(
  entry: Entry,
  place: Pick<OutgoingEvent, 'id' | 'aggregate' | 'sequence'>,
  how: MessageInitShape<typeof AuditRecordedSchema>,
): OutgoingEvent {
  const { id, ts, request, targets, extensions, ...who } = entry;
  return outgoing(
    auditRecorded,
    { entryId: id, requestJson: request, ...who, ...how },
    { ...place, timeMs: ts, traceparent: '', requester: entry.actor },
  );
}
