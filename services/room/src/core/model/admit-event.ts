import { isDeepStrictEqual } from 'node:util';
import { own } from '@steward/kernel';
import {
  type RoomEvent,
  readingVersion,
  redactedIdOf,
  relationOf,
  type StoredEvent,
  serverNameOf,
} from '../protocol/mod.ts';
import type { EventDocument } from './event-document.ts';
import { redacted } from './event-form.ts';
import { mediaFieldsOf } from './media-fields.ts';
import { activityTime, isMessage } from './messages.ts';
import { type Extremity, MAX_EXTREMITIES, type Room, type Summary } from './room.ts';
import { facetOf } from './room-facet.ts';
import { summarise } from './summary.ts';

const MEMBER = 'm.room.member';

/** An event to admit, and the state that it replaces. */
export interface NewEvent {
  readonly eventId: string;
  readonly roomId: string;
  readonly event: StoredEvent;
  /** See `EventDocument`. */
  readonly json: string;
  readonly bytes: number;
  /** When this server received it, in milliseconds since the Unix epoch. */
  readonly receivedTs: number;
  /** The state event that it replaces. */
  readonly replaces: string | undefined;
  /** Of a member event: the membership before it. */
  readonly previousMembership: string | undefined;
  /** Numbers the membership epoch that the event begins; called only if it begins one. */
  readonly newEpoch: () => number;
}

/** The document of an event, apart from arrival, transaction and flags. */
export function toEventDocument(room: Pick<Room, 'room_version'>, admitted: NewEvent): EventDocument {
  const { event, previousMembership: before } = admitted;
  const isState = event.state_key !== undefined;
  const after = own(event.content, 'membership');
  const isMember = isState && event.type === MEMBER;
  const relation = relationOf(event.content);
  const redacts =
    event.type === 'm.room.redaction' ? redactedIdOf(event, readingVersion(room.room_version)) : undefined;
  return {
    ...toHiddenDocument(room, admitted),
    ...(admitted.replaces === undefined ? {} : { replaces: admitted.replaces }),
    ...(before === undefined ? {} : { previous_membership: before }),
    ...(isMember && after === 'join' && before !== 'join' ? { stay: admitted.newEpoch() } : {}),
    ...(isMember && after === 'invite' ? { inviter: event.sender } : {}),
    ...(redacts === undefined ? {} : { redacts }),
    ...mediaFieldsOf(event),
    ...(relation ? { relates_to: relation.eventId, rel_type: relation.relType } : {}),
  };
}

/** As `toEventDocument`, for an event that no user sees and that changes neither state nor members. */
export function toHiddenDocument(
  { room_version }: Pick<Room, 'room_version'>,
  { eventId, roomId, event, json, bytes, receivedTs }: Omit<NewEvent, 'newEpoch'>,
): EventDocument {
  return {
    _id: eventId,
    room_id: roomId,
    room_version,
    depth: event.depth,
    type: event.type,
    sender: event.sender,
    ...(event.state_key === undefined ? {} : { state_key: event.state_key }),
    origin_server_ts: event.origin_server_ts,
    received_ts: receivedTs,
    json,
    bytes,
    media: [],
  };
}

/** The totals of a room after an event, which may be hidden. */
export function countEvent(room: Room, document: EventDocument): Partial<Room> {
  const { arrival, events, event_bytes, messages } = room;
  return {
    arrival: arrival + 1,
    events: events + 1,
    event_bytes: event_bytes + document.bytes,
    ...(messages !== undefined && isMessage(document) ? { messages: messages + 1 } : {}),
  };
}

/**
 * The fields of a room that admitting an event changes.
 *
 * @param document the document of the event, see `toEventDocument`
 * @param sha256 the event's reference hash, in room versions whose references hold one
 */
export function roomAfter(
  room: Room,
  event: StoredEvent,
  document: EventDocument,
  { serverName, sha256 }: { readonly serverName: string; readonly sha256?: string | undefined },
): Partial<Room> {
  const after = {
    ...countEvent(room, document),
    last_activity_ts: Math.max(room.last_activity_ts, activityTime(document)),
    depth: Math.max(room.depth, event.depth),
    extremities: extremitiesAfter(room, event, document, sha256),
  };
  if (event.state_key === undefined) return after;
  const summary = summarise(event.type, event.state_key, event.content);
  const isNowEncrypted = room.encryption === null && typeof summary.encryption === 'string';
  return {
    ...after,
    state_events: room.state_events + (document.replaces === undefined ? 1 : 0),
    ...summary,
    ...(isNowEncrypted ? { encrypted_at: room.arrival + 1 } : {}),
    ...(document.previous_membership === undefined
      ? {}
      : countMember(room, event, document.previous_membership, serverName)),
  };
}

/** The changes of a room's summary when a current state event is redacted. */
export function summaryAfterRedaction(current: RoomEvent): Partial<Summary> {
  const { type, state_key: stateKey = '', content } = redacted(current).event;
  return summarise(type, stateKey, content);
}

/** The fields of a room that differ, and its facet, apart from those that every commit sets. */
export function changedFields(before: Room, after: Room): Partial<Room> {
  const { _id, version, pending, ...fields } = { ...after, ...facetOf(after) };
  const changed = Object.entries(fields).filter(
    ([key, value]) => !isDeepStrictEqual(before[key as keyof Room], value),
  );
  return Object.fromEntries(changed);
}

/** The extremities after an event, which replaces those that it follows. */
function extremitiesAfter(
  { extremities, arrival }: Room,
  { prev_events, depth }: StoredEvent,
  document: EventDocument,
  sha256: string | undefined,
): readonly Extremity[] {
  const followed = new Set(
    prev_events.map((reference) => (typeof reference === 'string' ? reference : reference[0])),
  );
  const newest: Extremity = {
    event_id: document._id,
    depth,
    received_ts: document.received_ts,
    arrival: arrival + 1,
    ...(sha256 === undefined ? {} : { sha256 }),
  };
  return [...extremities.filter(({ event_id }) => !followed.has(event_id)), newest].slice(-MAX_EXTREMITIES);
}

/** The totals of members after a member event. */
function countMember(room: Room, event: StoredEvent, before: string, serverName: string): Partial<Room> {
  const after = own(event.content, 'membership');
  const step = (membership: string) => Number(after === membership) - Number(before === membership);
  const localStep = serverNameOf(event.state_key ?? '') === serverName ? step('join') : 0;
  return {
    joined_members: room.joined_members + step('join'),
    joined_local_members: room.joined_local_members + localStep,
    ...(localStep === 0 ? {} : { local_joins: room.arrival + 1 }),
    invited_members: room.invited_members + step('invite'),
  };
}
