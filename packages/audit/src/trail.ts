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
import { LeakyBuckets, type Rate } from '@steward/limits';
import type { AuditRecordedSchema } from '@steward/proto/steward/event/v1/audit_pb.ts';
import type { Store, WriteOptions } from '@steward/store';
import { type End, type Entry, entryId } from './entry.ts';

/** The name under which facts of the trail wait to be published; all processes on one store share it. */
const OUTBOX = 'audit';

/** How many refused attempts of one user are recorded: who repeats them without end must not fill the log. */
const REFUSALS: Rate = { perSecond: 1, burst: 100 };

/** The facts of one entry, in their order. */
const ORDERED = 1;
const ENDED = 2;

/** Nobody waits for the disk: what is recorded is on it as soon as any later change is, such as that which it is about. */
const WITH_THE_CHANGE: WriteOptions = { durable: false };

/** What the trail stands on. */
export interface AuditTrailOptions {
  readonly store: Store;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Told when an outcome was not recorded; its entry says `unknown` then. */
  readonly report: Report;
}

/** Where entries of the audit log begin: in the store of who carries out what they record. */
export interface AuditTrail {
  /** The id and the time of a new entry. */
  newId(): Pick<Entry, 'id' | 'ts'>;
  /**
   * Records what is about to be carried out. When it resolves, whatever the store keeps from then on, it keeps
   * this as well.
   *
   * @throws Unavailable when it cannot be recorded, and so must not be carried out
   */
  order(entry: Entry): Promise<void>;
  /** Records what became of it. Never throws: what was done is done. */
  end(entry: Entry, end: End): Promise<void>;
  /** Records, for as far as that is possible, what was refused before it was carried out. Nobody waits for it. */
  refuse(entry: Entry, end: End): void;
  /** Resolves when everything that was recorded so far has been published. */
  settle(): Promise<void>;
  /** Waits for what is being recorded. What was not published is published at the next start. */
  close(): Promise<void>;
}

/** Starts the trail of a process. On the bus of one process, consumers are subscribed before. */
export async function startAuditTrail(options: AuditTrailOptions): Promise<AuditTrail> {
  const { store, bus, clock, random, report } = options;
  const outbox = await openOutbox(store, OUTBOX);
  const relay = await startRelay({ store, service: OUTBOX, bus, clock, random, report });
  const refusals = new LeakyBuckets(clock);
  const underWay = new Set<Promise<void>>();
  let lastTs = 0;
  let turn = 0;

  const reportLoss = (entry: Entry, error: unknown) =>
    report('the outcome of an administrative request was not recorded', { entry: entry.id, error });
  return {
    newId() {
      const ts = clock.now();
      turn = ts === lastTs ? turn + 1 : 0;
      lastTs = ts;
      return { id: entryId(ts, turn, random), ts };
    },
    // The relay is not told: mostly the outcome follows at once, and takes its place.
    order: (entry) => outbox.add([orderOf(entry)], WITH_THE_CHANGE),
    async end(entry, how) {
      try {
        await outbox.replace(orderOf(entry).id, endOf(entry, how, clock.now()), WITH_THE_CHANGE);
        relay.nudge();
      } catch (error) {
        reportLoss(entry, error);
      }
    },
    refuse(entry, how) {
      if (refusals.take(entry.actor, REFUSALS, 1) > 0) return;
      const recorded = outbox
        .add([endOf(entry, how, clock.now())], WITH_THE_CHANGE)
        .then(() => relay.nudge())
        .catch((error: unknown) => reportLoss(entry, error))
        .finally(() => underWay.delete(recorded));
      underWay.add(recorded);
    },
    async settle() {
      await Promise.all(underWay);
      await relay.settle();
    },
    async close() {
      await Promise.all(underWay);
      await relay.close();
    },
  };
}

/** What is told of a request before it is carried out. */
function orderOf(entry: Entry): OutgoingEvent {
  return eventOf(entry, ORDERED, { targets: [...entry.targets], outcome: 'unknown' });
}

/** What is told of a request that was answered at `endedTs`, in milliseconds since the Unix epoch. */
function endOf(entry: Entry, { targets, ...end }: End, endedTs: number): OutgoingEvent {
  const all = [...new Set([...entry.targets, ...targets])];
  return eventOf(entry, ENDED, { ...end, targets: all, endedTs: BigInt(endedTs) });
}

function eventOf(
  entry: Entry,
  sequence: number,
  how: MessageInitShape<typeof AuditRecordedSchema>,
): OutgoingEvent {
  const { id, ts, request, targets, ...who } = entry;
  return outgoing(
    auditRecorded,
    { entryId: id, requestJson: request, ...who, ...how },
    {
      id: `${id}.${sequence}`,
      timeMs: ts,
      aggregate: id,
      sequence,
      traceparent: '',
      requester: entry.actor,
    },
  );
}
