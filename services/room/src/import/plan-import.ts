import { NotCanonical, own } from '@steward/kernel';
import {
  changedFields,
  countEvent,
  type NewEvent,
  roomAfter,
  summaryAfterRedaction,
  toEventDocument,
  toHiddenDocument,
} from '../core/model/admit-event.ts';
import type { EventDocument } from '../core/model/event-document.ts';
import { toRoomEvent } from '../core/model/event-form.ts';
import type { Ranged, Redaction } from '../core/model/import-document.ts';
import { NO_MEMBERSHIP } from '../core/model/member.ts';
import { epochAt } from '../core/model/membership-epochs.ts';
import type { Extremity, Room } from '../core/model/room.ts';
import { stateKeyOf } from '../core/model/room-memory.ts';
import { readingVersion, referenceHash, unpaddedBase64 } from '../core/protocol/mod.ts';
import { type EventRecord, toStoredEvent } from './read-event.ts';

const MEMBER = 'm.room.member';

/** The data of a room that planning an import requires. */
export interface KnownRoom {
  readonly room: Room;
  readonly serverName: string;
  /** The ids of the current state events by `stateKeyOf`, for the keys that the imported events set or redact. */
  readonly current: ReadonlyMap<string, string>;
  /** The memberships of the users with imported member events, by user id; absent without a membership. */
  readonly memberships: ReadonlyMap<string, string>;
  /** The existing events that are redacted, by event id. */
  readonly redacted: ReadonlyMap<string, EventDocument>;
}

/**
 * A room at one version, and the events that an import adds, in order; derives the room and the documents of the
 * events. Stores nothing.
 */
export class ImportPlan {
  readonly #known: KnownRoom;
  readonly #room: Room;
  readonly #current: Map<string, string>;
  readonly #memberships: Map<string, string>;
  readonly #documents = new Map<string, EventDocument>();
  readonly #redactions: Redaction[] = [];
  readonly #ranges: Ranged[] = [];

  constructor(known: KnownRoom) {
    this.#known = known;
    this.#room = { ...known.room };
    this.#current = new Map(known.current);
    this.#memberships = new Map(known.memberships);
  }

  /** The documents of the events, by event id, with the arrival numbers that the commit assigns. */
  get documents(): ReadonlyMap<string, EventDocument> {
    return this.#documents;
  }

  /** The redactions of existing events, apart from those that are events of the plan. */
  get redactions(): readonly Redaction[] {
    return this.#redactions;
  }

  /** The ranges of existing state events. */
  get ranges(): readonly Ranged[] {
    return this.#ranges;
  }

  /**
   * Gives an existing state event the ranges that its record says.
   *
   * @throws Error for ranges that it cannot have
   */
  range({ eventId, roomId, event, softFailed, rejected, stored }: EventRecord): void {
    const ranged = { _id: eventId, room_id: roomId, ...event, in_state: stored.in_state };
    checkRanges(ranged, softFailed || rejected);
    const { type, state_key } = event;
    this.#ranges.push({
      ...{ _id: eventId, room_id: roomId, type, in_state: ranged.in_state ?? [] },
      ...(state_key === undefined ? {} : { state_key }),
      ...(stored.replaces_in_branch === undefined ? {} : { replaces_in_branch: stored.replaces_in_branch }),
    });
    this.#noteFork(ranged);
  }

  /** Redacts an existing event, as its record says. */
  redact({ eventId, roomId, stored }: EventRecord): void {
    const { redacted_by } = stored;
    if (redacted_by === undefined) return;
    this.#redactions.push({ _id: redacted_by, room_id: roomId, redacts: eventId });
    this.#redact(eventId);
  }

  /** @throws Error for an event that is too large; then nothing is added */
  add(record: EventRecord): void {
    const { event } = record;
    const { arrival = 0 } = record.stored;
    // Positions in a room only rise.
    const after = { ...this.#room, arrival: Math.max(this.#room.arrival, arrival - 1) };
    const isHidden = record.softFailed || record.rejected;
    const document = this.#toDocument(record, after, isHidden);
    checkRanges(document, isHidden);
    this.#room.arrival = after.arrival;
    this.#noteFork(document);
    this.#documents.set(document._id, document);
    if (isHidden) {
      Object.assign(this.#room, countEvent(this.#room, document));
      return;
    }
    Object.assign(this.#room, roomAfter(this.#room, event, document, this.#known));
    const { state_key: stateKey } = event;
    if (stateKey !== undefined) {
      this.#current.set(stateKeyOf(event.type, stateKey), document._id);
      if (event.type === MEMBER) this.#memberships.set(stateKey, String(own(event.content, 'membership')));
    }
    if (document.redacted_by !== undefined) this.#redact(document._id);
    if (document.redacts !== undefined) this.#redact(document.redacts);
  }

  /** The fields of the room that the events change. */
  changes(): Partial<Room> {
    return changedFields(this.#known.room, {
      ...this.#room,
      extremities: this.#room.extremities.map((extremity) => this.#withHash(extremity)),
    });
  }

  #toDocument(record: EventRecord, room: Room, isHidden: boolean): EventDocument {
    const { event, eventId, roomId, receivedTs, stored } = record;
    const { type, state_key: stateKey } = event;
    const arrival = room.arrival + 1;
    const isMember = type === MEMBER && stateKey !== undefined;
    const admitted: NewEvent = {
      eventId,
      roomId,
      event,
      ...toStoredEvent(record, room.room_version),
      receivedTs,
      replaces: stateKey === undefined ? undefined : this.#current.get(stateKeyOf(type, stateKey)),
      previousMembership: isMember ? (this.#memberships.get(stateKey) ?? NO_MEMBERSHIP) : undefined,
      newEpoch: () => epochAt(event.origin_server_ts, arrival),
    };
    const { avatar, other_media, ...document }: EventDocument = isHidden
      ? toHiddenDocument(room, admitted)
      : toEventDocument(room, admitted);
    const shown = {
      media: document.media,
      ...(avatar === undefined ? {} : { avatar }),
      ...(other_media === undefined ? {} : { other_media }),
    };
    return {
      ...document,
      ...(stored.redacted_by === undefined ? shown : { media: [] }),
      ...stored,
      arrival,
      unrelated: true,
      ...(record.softFailed ? { soft_failed: true } : {}),
      ...(record.rejected ? { rejected: true } : {}),
    };
  }

  /** Notes up to where a membership does not follow from the order of the events. */
  #noteFork({ type, in_state }: Pick<EventDocument, 'type' | 'in_state'>): void {
    const last = in_state?.at(-1);
    if (type !== MEMBER || !last) return;
    this.#room.forked_until = Math.max(this.#room.forked_until ?? 0, last.until ?? last.from);
  }

  /** Redacts an event in the summary, if it is part of the current state. */
  #redact(eventId: string): void {
    const target = this.#documents.get(eventId) ?? this.#known.redacted.get(eventId);
    if (target?.state_key === undefined || target.room_id !== this.#room._id) return;
    const { type, state_key: stateKey } = target;
    if (this.#current.get(stateKeyOf(type, stateKey)) !== eventId) return;
    Object.assign(this.#room, summaryAfterRedaction(toRoomEvent(target)));
  }

  /** Adds the reference hash to an extremity, if references of the room version contain one. */
  #withHash(extremity: Extremity): Extremity {
    const document = this.#documents.get(extremity.event_id);
    const version = readingVersion(this.#room.room_version);
    if (!document || version.plainReferences) return extremity;
    try {
      const hash = referenceHash(toRoomEvent(document).event, version);
      return { ...extremity, sha256: unpaddedBase64(hash) };
    } catch (error) {
      // Old events may have no canonical form.
      if (error instanceof NotCanonical) return extremity;
      throw error;
    }
  }
}

/** @throws Error for ranges that an event cannot have */
function checkRanges(
  { state_key, in_state }: Pick<EventDocument, 'state_key' | 'in_state'>,
  isHidden: boolean,
): void {
  if (!in_state) return;
  if (state_key === undefined) throw new Error('in_state is of state events only');
  let end = 0;
  for (const [index, { from, until }] of in_state.entries()) {
    const isOpen = until === undefined && index === in_state.length - 1 && !isHidden;
    if (from < Math.max(end, 1) || !(isOpen || (until !== undefined && until > from)))
      throw new Error('in_state is not a list of ranges in their order');
    end = until ?? from;
  }
}
