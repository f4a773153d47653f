import type { JsonObject } from '@steward/kernel';
import {
  type Membership,
  type RoomEvent,
  redactedIdOf,
  type StateLookup,
  type StoredEvent,
} from './event.ts';
import { redact } from './redact.ts';
import { readingVersion } from './room-versions.ts';

/** The view of an event for one viewer. */
export interface ClientView {
  /** Milliseconds since the Unix epoch, for the age of the event. */
  readonly now: number;
  /** Whether the event is shown in redacted form; implied by `redactedBecause`. */
  readonly isRedacted?: boolean;
  /** The redaction of the event. */
  readonly redactedBecause?: RoomEvent;
  /** The id of the redaction, if the redaction itself is not shown. */
  readonly redactedBy?: string;
  /** The state event that this one replaced, if the viewer may see it; redacted if it has been. */
  readonly replaced?: RoomEvent;
  /** The id of the transaction that sent the event, for the session that sent it. */
  readonly transactionId?: string;
  /** The administrator on whose order the event was sent, if the viewer may know. */
  readonly orderedBy?: string | undefined;
  /** The same two for `redactedBecause`. */
  readonly redactionReplaced?: RoomEvent | undefined;
  readonly redactionOrderedBy?: string | undefined;
  /** The membership of the viewer at the event. */
  readonly membership?: Membership;
  /** Summaries of the events that relate to this one. */
  readonly relations?: JsonObject;
  /** Whether the room id is omitted, because the response contains it elsewhere. */
  readonly omitRoomId?: boolean;
}

/** The client form of an event (client-plane.md 4.4). */
export interface ClientEvent extends JsonObject {
  readonly event_id: string;
  readonly type: string;
  readonly sender: string;
  readonly content: JsonObject;
  readonly origin_server_ts: number;
  readonly room_id?: string;
  readonly state_key?: string;
  readonly redacts?: string;
  readonly unsigned: JsonObject;
}

/**
 * Converts an event to the client form (client-plane.md 4.4).
 *
 * @param formOfRedaction the form of the redaction of the event
 */
export function clientForm(
  roomEvent: RoomEvent,
  view: ClientView,
  formOfRedaction: (redaction: RoomEvent, view: ClientView) => ClientEvent = clientForm,
): ClientEvent {
  const { eventId, roomId } = roomEvent;
  const event = visibleForm(roomEvent, view);
  const redacts =
    event.type === 'm.room.redaction'
      ? redactedIdOf(event, readingVersion(roomEvent.roomVersion))
      : undefined;
  return {
    event_id: eventId,
    type: event.type,
    sender: event.sender,
    content: redacts === undefined ? event.content : { ...event.content, redacts },
    origin_server_ts: event.origin_server_ts,
    ...(view.omitRoomId ? {} : { room_id: roomId }),
    ...(event.state_key === undefined ? {} : { state_key: event.state_key }),
    ...(redacts === undefined ? {} : { redacts }),
    unsigned: unsignedOf(event, view, formOfRedaction),
  };
}

function unsignedOf(
  { origin_server_ts, state_key }: StoredEvent,
  view: ClientView,
  formOfRedaction: (redaction: RoomEvent, view: ClientView) => ClientEvent,
): JsonObject {
  const { now, redactedBecause, replaced, transactionId, membership, relations } = view;
  const ofRedaction = {
    now,
    orderedBy: view.redactionOrderedBy,
    ...(view.redactionReplaced ? { replaced: view.redactionReplaced } : {}),
  };
  const redactedBy = view.redactedBy ?? redactedBecause?.eventId;
  return {
    age: now - origin_server_ts,
    ...(transactionId === undefined ? {} : { transaction_id: transactionId }),
    ...(replaced === undefined || state_key === undefined
      ? {}
      : {
          prev_content: replaced.event.content,
          prev_sender: replaced.event.sender,
          replaces_state: replaced.eventId,
        }),
    ...(redactedBecause === undefined
      ? {}
      : { redacted_because: formOfRedaction(redactedBecause, ofRedaction) }),
    ...(redactedBy === undefined ? {} : { redacted_by: redactedBy }),
    ...orderOf(view.orderedBy),
    ...(membership === undefined ? {} : { membership }),
    ...(relations === undefined ? {} : { 'm.relations': relations }),
  };
}

/** What `unsigned` says of the order on which an event was sent. */
function orderOf(orderedBy: string | undefined): JsonObject {
  return orderedBy === undefined ? {} : { 'steward.ordered_by': orderedBy };
}

/** The keys of `unsigned` that the older client form repeats at the top level. */
const REPEATED_OF_UNSIGNED = ['age', 'prev_content', 'replaces_state', 'redacted_because'];

/** Converts an event to the older client form, a superset that administrators receive (behaviour.md 10.4). */
export function adminForm(roomEvent: RoomEvent, view: ClientView): ClientEvent {
  const event = clientForm(roomEvent, view, adminForm);
  const repeated = REPEATED_OF_UNSIGNED.filter((key) => Object.hasOwn(event.unsigned, key));
  return {
    ...event,
    user_id: event.sender,
    ...Object.fromEntries(repeated.map((key) => [key, event.unsigned[key]])),
  };
}

/** Converts an event to the federation form (client-plane.md 4.1), redacted if the view says so. */
export function federationForm(
  roomEvent: RoomEvent,
  view: Pick<ClientView, 'isRedacted' | 'redactedBecause' | 'redactedBy' | 'orderedBy'> = {},
): JsonObject {
  const event = visibleForm(roomEvent, view);
  return { ...event, unsigned: { ...event.unsigned, ...orderOf(view.orderedBy) } };
}

/** The event, or its redacted form. */
function visibleForm(
  { event, roomVersion }: RoomEvent,
  { isRedacted, redactedBecause, redactedBy }: Partial<ClientView>,
): StoredEvent {
  const hidden = isRedacted || redactedBecause !== undefined || redactedBy !== undefined;
  return hidden ? redact(event, readingVersion(roomVersion)) : event;
}

/** The types of state events that describe a room to users who are not in it (client-plane.md 4.4). */
const STRIPPED_TYPES = [
  'm.room.create',
  'm.room.join_rules',
  'm.room.canonical_alias',
  'm.room.name',
  'm.room.avatar',
  'm.room.topic',
  'm.room.encryption',
];

/**
 * The stripped form of a state event. The create event is not stripped in versions whose room ids are its hash.
 *
 * @param now milliseconds since the Unix epoch
 */
function strippedForm(roomEvent: RoomEvent, now: number): JsonObject {
  const { type, state_key, content, sender } = roomEvent.event;
  if (type === 'm.room.create' && readingVersion(roomEvent.roomVersion).hashRoomIds) {
    return clientForm(roomEvent, { now });
  }
  return { type, state_key, content, sender };
}

/** The state keys that `strippedState` reads. */
export function strippedStateKeys(userIds: readonly string[]): readonly (readonly [string, string])[] {
  return [
    ...STRIPPED_TYPES.map((type) => [type, ''] as const),
    ...userIds.map((userId) => ['m.room.member', userId] as const),
  ];
}

/**
 * The stripped state that an invited or knocking user receives: the state of `STRIPPED_TYPES`, then the member events
 * of the given users.
 *
 * @param userIds the inviter, and last the receiving user
 * @param now milliseconds since the Unix epoch
 */
export function strippedState(
  state: StateLookup,
  userIds: readonly string[],
  now: number,
): readonly JsonObject[] {
  return strippedStateKeys(userIds)
    .map(([type, stateKey]) => state(type, stateKey))
    .filter((event) => event !== undefined)
    .map((event) => strippedForm(event, now));
}
