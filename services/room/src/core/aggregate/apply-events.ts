import {
  type OutgoingEvent,
  outgoing,
  roomCreated,
  roomGuestAccessWithdrawn,
  roomMemberChanged,
} from '@steward/events';
import { occurrence } from '@steward/feed';
import { ownString } from '@steward/kernel';
import { RoomCreatedSchema } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import { type BulkOperation, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import { originalEvent } from '../model/event-form.ts';
import { mediaOf } from '../model/media-fields.ts';
import { type MemberDocument, memberId } from '../model/member.ts';
import type { AdmittedEvent } from '../model/pending-effects.ts';
import { memberFieldsOf, readMember } from '../model/read-member.ts';
import type { Room } from '../model/room.ts';
import { CURRENT, EMPTY_INTERVAL, type StateDocument } from '../model/state-document.ts';
import { memberTopic, roomTopic } from '../model/topics.ts';
import { redactionOf, redactMembers } from './apply-redactions.ts';
import type { KnownDocuments } from './known-documents.ts';
import { relationMarkOf } from './mark-related.ts';
import { mediaChanged, redactedMediaOf } from './media-facts.ts';

/** An event that a commit has admitted. */
interface Arrival {
  readonly event: EventDocument;
  readonly arrival: number;
  readonly effect: AdmittedEvent;
}

/**
 * Makes admitted events visible, updates state intervals and members, and stores the facts. Idempotent, also when it
 * runs late and in several processes concurrently, because it changes only existing documents, and only forward. Not
 * flushed: after a power failure the effects are still pending.
 *
 * @returns a function that notifies the waiters
 */
export async function applyEvents(
  deps: Deps,
  room: Room,
  effects: readonly AdmittedEvent[],
  known: KnownDocuments = {},
): Promise<() => void> {
  const byId = new Map(known.events?.map((event) => [event._id, event]));
  const unknown = effects.map(({ event_id }) => event_id).filter((id) => !byId.has(id));
  if (unknown.length > 0) {
    for await (const event of deps.events.find({ _id: { $in: unknown } })) byId.set(event._id, event);
  }
  // A missing event was removed after its effect had been applied.
  const arrivals = effects
    .flatMap((effect): Arrival[] => {
      const event = byId.get(effect.event_id);
      return event ? [{ event, arrival: effect.arrival, effect }] : [];
    })
    .sort((a, b) => a.arrival - b.arrival);
  await Promise.all([showEvents(deps, arrivals), openIntervals(deps, arrivals), moveMembers(deps, arrivals)]);
  await redactMembers(
    deps,
    arrivals.map(({ event }) => event),
  );
  const redactedUris = await redactedMediaOf(
    deps,
    arrivals.map(({ event }) => event),
  );
  await deps.outbox.add(
    arrivals.flatMap(({ event, arrival, effect }) => {
      const uris = redactedUris.get(event.redacts ?? '');
      return factsOf({ ...event, arrival }, effect, uris);
    }),
    NOT_FLUSHED,
  );
  return () =>
    notifyOf(
      deps,
      room,
      arrivals.map(({ event }) => event),
    );
}

async function showEvents(deps: Deps, arrivals: readonly Arrival[]): Promise<void> {
  const operations = arrivals.flatMap(({ event, arrival }): BulkOperation<EventDocument>[] => {
    const show = {
      updateOne: {
        filter: { _id: event._id, unseen_since: { $exists: true } },
        update: { $set: { arrival }, $unset: { unseen_since: true } },
      },
    } as const;
    const marks = relationMarkOf(event, arrival).map((updateOne) => ({ updateOne }));
    return [show, ...marks, ...redactionOf(event)];
  });
  if (operations.length > 0) await deps.events.bulkWrite(operations, NOT_FLUSHED);
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
    // Opened before the replaced interval is closed: a reader in between finds both, and uses the later one.
    const close = {
      updateOne: {
        filter: { _id: event.replaces, room_id, until: CURRENT },
        update: { $set: { until: arrival } },
      },
    };
    return [open, close];
  });
  if (operations.length > 0) await deps.states.bulkWrite(operations, NOT_FLUSHED);
}

async function moveMembers(deps: Deps, arrivals: readonly Arrival[]): Promise<void> {
  const operations = arrivals.flatMap(({ event, arrival }): BulkOperation<MemberDocument>[] => {
    if (event.type !== 'm.room.member' || event.state_key === undefined) return [];
    return [
      {
        updateOne: {
          filter: { _id: memberId(event.room_id, event.state_key), arrival: { $lt: arrival } },
          update: { $set: memberFieldsOf(event, arrival) },
        },
      },
    ];
  });
  if (operations.length > 0) await deps.members.bulkWrite(operations, NOT_FLUSHED);
}

/**
 * The facts of a visible event.
 *
 * @param about the id of the fact, and the W3C trace context of the request that sent the event
 * @param redactedUris the content URIs of the media in the event that it redacts
 */
export function factsOf(
  event: EventDocument,
  about: Pick<AdmittedEvent, 'id' | 'traceparent'>,
  redactedUris: readonly string[] = [],
): OutgoingEvent[] {
  const uris = [...new Set([...mediaOf(event), ...redactedUris])];
  if (uris.length === 0) return factsOfState(event, about);
  const changed = mediaChanged(event.room_id, uris, {
    id: `${about.id}.media`,
    timeMs: event.received_ts,
    sequence: event.arrival ?? 0,
    traceparent: about.traceparent,
    requester: event.sender,
  });
  return [...factsOfState(event, about), changed];
}

function factsOfState(
  event: EventDocument,
  { id, traceparent }: Pick<AdmittedEvent, 'id' | 'traceparent'>,
): OutgoingEvent[] {
  const { room_id: roomId } = event;
  const about = {
    id,
    timeMs: event.received_ts,
    aggregate: roomId,
    // The version would be the same for all events of a commit.
    sequence: event.arrival ?? 0,
    traceparent,
    requester: event.sender,
  };
  if (event.state_key === undefined) return [];
  if (event.type === 'm.room.create') {
    const creator = event.sender;
    const occurred = { ...about, id: `${id}.created`, actor: creator, targets: [roomId] };
    return [
      outgoing(roomCreated, { roomId, creator }, about),
      occurrence(RoomCreatedSchema, { roomId, creator }, occurred),
    ];
  }
  if (event.type === 'm.room.guest_access' && event.replaces !== undefined) {
    const isWithdrawn = ownString(originalEvent(event).event.content, 'guest_access') !== 'can_join';
    return isWithdrawn ? [outgoing(roomGuestAccessWithdrawn, { roomId }, about)] : [];
  }
  if (event.type !== 'm.room.member') return [];
  const message = {
    roomId,
    userId: event.state_key,
    membership: readMember(event).membership,
    previousMembership: event.previous_membership ?? '',
    sender: event.sender,
    eventId: event._id,
  };
  return [outgoing(roomMemberChanged, message, about)];
}

/** Notifies the waiters of events that have become visible. */
export function notifyOf(
  deps: Pick<Deps, 'bus' | 'typing'>,
  room: Room,
  events: readonly EventDocument[],
): void {
  // Who has sent a message, or is no longer in the room, is not typing.
  for (const { sender, state_key: userId = sender } of events) deps.typing.end(room._id, userId);
  if (events.length > 0) deps.bus.notify(roomTopic(room._id));
  for (const { type, state_key: userId } of events) {
    if (type === 'm.room.member' && userId !== undefined) deps.bus.notify(memberTopic(userId));
  }
}
