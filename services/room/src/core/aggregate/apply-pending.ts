import { type OutgoingEvent, outgoing } from '@steward/events';
import { ownString } from '@steward/kernel';
import type { BulkOperation, Owed } from '@steward/store';
import type { Deps } from '../deps.ts';
import { roomCreated, roomGuestAccessWithdrawn, roomMemberChanged } from '../facts.ts';
import type { EventDocument } from '../model/event-document.ts';
import { originalEvent } from '../model/event-form.ts';
import { type MemberDocument, memberId } from '../model/member.ts';
import { type AdmittedEvent, isLook, OWED } from '../model/pending-effects.ts';
import { readMember } from '../model/read-member.ts';
import type { Room } from '../model/room.ts';
import { CURRENT, EMPTY_INTERVAL, type StateDocument } from '../model/state-document.ts';
import { memberTopic, roomTopic } from '../model/topics.ts';
import { settleImports } from './apply-imports.ts';

/** An event that a commit has admitted. */
interface Arrival {
  readonly event: EventDocument;
  readonly arrival: number;
  readonly owed: AdmittedEvent;
}

/** Events as they were inserted for what a room owes. */
export interface Known {
  /** Those that cannot be seen yet. */
  readonly events?: readonly EventDocument[];
  /** Those of import documents, by the ids of these. */
  readonly imports?: ReadonlyMap<string, readonly EventDocument[]>;
}

/**
 * Does what a room's commits owe: makes the events visible, then state and members follow, then facts are
 * stored and those who wait are woken. Safe to do twice, late, and on several machines at once: it only
 * ever changes documents that exist, and never back. Nothing waits for the disk: what is lost with the power is
 * owed again, because the references are removed last.
 *
 * @param known what has just been inserted and need not be read
 * @returns the room as it was given, owing nothing but looks at newcomers; others may have changed it meanwhile
 */
export async function settleRoom(deps: Deps, room: Room, known: Known = {}): Promise<Room> {
  const debts = debtsOf(room);
  if (debts.length === 0) return room;
  const wake = await payDebts(deps, room, known);
  await deps.rooms.updateOne(
    { _id: room._id },
    { $pull: { pending: { id: { $in: debts.map(({ id }) => id) } } } },
    OWED,
  );
  wake();
  return { ...room, pending: (room.pending ?? []).filter(isLook) };
}

/** What a room owes, but for looks at newcomers. */
function debtsOf({ pending = [] }: Room): readonly Owed[] {
  return pending.filter((entry) => !isLook(entry));
}

/** Does what a room owes; returns what wakes those who wait for it. */
async function payDebts(deps: Deps, room: Room, known: Known): Promise<() => void> {
  const pending = debtsOf(room);
  const owed = pending.filter((entry): entry is AdmittedEvent => entry.kind === 'event');
  const imports = pending.filter(({ kind }) => kind === 'import').map(({ id }) => id);
  const importedRedactions = await settleImports(deps, imports, known.imports);
  const byId = new Map(known.events?.map((event) => [event._id, event]));
  const unknown = owed.map(({ event_id }) => event_id).filter((id) => !byId.has(id));
  if (unknown.length > 0) {
    for await (const event of deps.events.find({ _id: { $in: unknown } })) byId.set(event._id, event);
  }
  // An event that is gone was removed after it had arrived.
  const arrivals = owed
    .flatMap((entry): Arrival[] => {
      const event = byId.get(entry.event_id);
      return event ? [{ event, arrival: entry.arrival, owed: entry }] : [];
    })
    .sort((a, b) => a.arrival - b.arrival);
  await Promise.all([
    showEvents(deps, arrivals),
    openIntervals(deps, arrivals),
    moveMembers(deps, arrivals),
    markRedacted(deps, importedRedactions),
  ]);
  await redactMembers(deps, [...importedRedactions, ...arrivals.map(({ event }) => event)]);
  await deps.outbox.add(
    arrivals.flatMap((arrived) => factsOf(room, arrived)),
    OWED,
  );
  for (const id of imports) await deps.imports.deleteOne({ _id: id }, OWED);
  return () => {
    wake(deps, room, arrivals);
    if (imports.length > 0) deps.bus.wake(roomTopic(room._id));
  };
}

async function showEvents(deps: Deps, arrivals: readonly Arrival[]): Promise<void> {
  const operations = arrivals.flatMap(({ event, arrival }): BulkOperation<EventDocument>[] => {
    const show = {
      updateOne: {
        filter: { _id: event._id, unseen_since: { $exists: true } },
        update: { $set: { arrival }, $unset: { unseen_since: true } },
      },
    } as const;
    return [show, ...redactionOf(event)];
  });
  if (operations.length > 0) await deps.events.bulkWrite(operations, OWED);
}

async function markRedacted(deps: Deps, redactions: readonly EventDocument[]): Promise<void> {
  const operations = redactions.flatMap(redactionOf);
  if (operations.length > 0) await deps.events.bulkWrite(operations, OWED);
}

/** What a redaction does to the event that it redacts. The first one stays the one that is named. */
function redactionOf(event: EventDocument): BulkOperation<EventDocument>[] {
  if (event.redacts === undefined) return [];
  return [
    {
      updateOne: {
        filter: { _id: event.redacts, room_id: event.room_id, redacted_by: null },
        update: { $set: { redacted_by: event._id, media: [] }, $unset: { avatar: true } },
      },
    },
  ];
}

async function openIntervals(deps: Deps, arrivals: readonly Arrival[]): Promise<void> {
  const operations = arrivals.flatMap(({ event, arrival }): BulkOperation<StateDocument>[] => {
    if (event.state_key === undefined) return [];
    const { room_id } = event;
    const open = {
      updateOne: {
        filter: { _id: event._id, room_id, until: EMPTY_INTERVAL.until },
        update: { $set: { from: arrival, until: CURRENT } },
      },
    };
    if (event.replaces === undefined) return [open];
    // Opened before the other is closed: who reads in between finds two, of which the later counts.
    const close = {
      updateOne: {
        filter: { _id: event.replaces, room_id, until: CURRENT },
        update: { $set: { until: arrival } },
      },
    };
    return [open, close];
  });
  if (operations.length > 0) await deps.states.bulkWrite(operations, OWED);
}

async function moveMembers(deps: Deps, arrivals: readonly Arrival[]): Promise<void> {
  const operations = arrivals.flatMap(({ event, arrival }): BulkOperation<MemberDocument>[] => {
    if (event.type !== 'm.room.member' || event.state_key === undefined) return [];
    const { membership, displayname, avatar_url } = readMember(event);
    return [
      {
        updateOne: {
          filter: { _id: memberId(event.room_id, event.state_key), arrival: { $lt: arrival } },
          update: {
            $set: {
              membership,
              event_id: event._id,
              arrival,
              sender: event.sender,
              displayname,
              avatar_url,
              forgotten: false,
              ...(event.stay === undefined ? {} : { stay: event.stay }),
            },
          },
        },
      },
    ];
  });
  if (operations.length > 0) await deps.members.bulkWrite(operations, OWED);
}

/** Takes the profile from members whose member event was redacted. */
async function redactMembers(deps: Deps, events: readonly EventDocument[]): Promise<void> {
  const targets = events.flatMap(({ redacts }) => (redacts === undefined ? [] : [redacts]));
  if (targets.length === 0) return;
  const redacted = await deps.events.find({ _id: { $in: targets }, type: 'm.room.member' }).toArray();
  const operations = redacted.flatMap(({ _id, room_id, state_key }): BulkOperation<MemberDocument>[] =>
    state_key === undefined
      ? []
      : [
          {
            updateOne: {
              filter: { _id: memberId(room_id, state_key), event_id: _id },
              update: { $set: { displayname: null, avatar_url: null } },
            },
          },
        ],
  );
  if (operations.length > 0) await deps.members.bulkWrite(operations, OWED);
}

function factsOf(room: Room, { event, arrival, owed }: Arrival): OutgoingEvent[] {
  const about = {
    id: owed.id,
    timeMs: event.received_ts,
    aggregate: room._id,
    // Rises with every event of a room, as its version does not within a commit.
    sequence: arrival,
    traceparent: owed.traceparent,
    requester: event.sender,
  };
  if (event.state_key === undefined) return [];
  if (event.type === 'm.room.create') {
    return [outgoing(roomCreated, { roomId: room._id, creator: event.sender }, about)];
  }
  if (event.type === 'm.room.guest_access' && event.replaces !== undefined) {
    const isWithdrawn = ownString(originalEvent(event).event.content, 'guest_access') !== 'can_join';
    return isWithdrawn ? [outgoing(roomGuestAccessWithdrawn, { roomId: room._id }, about)] : [];
  }
  if (event.type !== 'm.room.member') return [];
  const message = {
    roomId: room._id,
    userId: event.state_key,
    membership: readMember(event).membership,
    previousMembership: event.previous_membership ?? '',
    sender: event.sender,
    eventId: event._id,
  };
  return [outgoing(roomMemberChanged, message, about)];
}

function wake(deps: Deps, room: Room, arrivals: readonly Arrival[]): void {
  if (arrivals.length > 0) deps.bus.wake(roomTopic(room._id));
  for (const { event } of arrivals) {
    if (event.type === 'm.room.member' && event.state_key !== undefined) {
      deps.bus.wake(memberTopic(event.state_key));
    }
  }
}
