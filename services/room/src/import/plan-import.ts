import { NotCanonical, own } from '@steward/kernel';
import type { EventDocument } from '../core/model/event-document.ts';
import { redacted, toRoomEvent } from '../core/model/event-form.ts';
import { NO_MEMBERSHIP } from '../core/model/member.ts';
import { stayAt } from '../core/model/membership-epochs.ts';
import { type Extremity, MAX_EXTREMITIES, type Room } from '../core/model/room.ts';
import { stateKeyOf } from '../core/model/room-memory.ts';
import { summarise } from '../core/model/summary.ts';
import {
  avatarUriOf,
  mediaUrisOf,
  readingVersion,
  redactedIdOf,
  referenceHash,
  relationOf,
  type StoredEvent,
  unpaddedBase64,
} from '../core/protocol/mod.ts';
import { changedFields, countMember } from '../core/view/room-view.ts';
import { type EventRecord, toStoredEvent } from './read-event.ts';

const MEMBER = 'm.room.member';

/** What has to be known of a room before events are loaded into it. */
export interface KnownRoom {
  readonly room: Room;
  readonly serverName: string;
  /** The ids of the current state events by `stateKeyOf`, in the places that the events touch. */
  readonly current: ReadonlyMap<string, string>;
  /** What the users of whom there are member events are, by user id; absent for who never was anything. */
  readonly memberships: ReadonlyMap<string, string>;
  /** The events that are redacted, by event id, as far as they are there. */
  readonly redacted: ReadonlyMap<string, EventDocument>;
}

/**
 * A room at one version, and the events that a load adds to it: what the room, its state and its members
 * are is taken from them as they come. Nothing is stored by it.
 */
export class ImportPlan {
  readonly #known: KnownRoom;
  readonly #room: Room;
  readonly #current: Map<string, string>;
  readonly #memberships: Map<string, string>;
  readonly #documents = new Map<string, EventDocument>();

  constructor(known: KnownRoom) {
    this.#known = known;
    this.#room = { ...known.room };
    this.#current = new Map(known.current);
    this.#memberships = new Map(known.memberships);
  }

  /** The documents of the events, by event id, with the arrival numbers that the commit is to give them. */
  get documents(): ReadonlyMap<string, EventDocument> {
    return this.#documents;
  }

  /** @throws Error for an event that is too large; nothing is added then */
  add(record: EventRecord): void {
    const { event } = record;
    const isHidden = record.softFailed || record.rejected;
    const document = this.#toDocument(record, isHidden);
    this.#documents.set(document._id, document);
    const room = this.#room;
    Object.assign(room, {
      arrival: room.arrival + 1,
      events: room.events + 1,
      event_bytes: room.event_bytes + document.bytes,
    });
    if (isHidden) return;
    Object.assign(room, {
      depth: Math.max(room.depth, event.depth),
      extremities: this.#extremitiesAfter(event, document),
    });
    if (event.state_key !== undefined) this.#enter(event, document, event.state_key);
    if (document.redacts !== undefined) this.#redact(document.redacts);
  }

  /** The fields of the room that the events change. */
  changes(): Partial<Room> {
    return changedFields(this.#known.room, {
      ...this.#room,
      extremities: this.#room.extremities.map((extremity) => this.#withHash(extremity)),
    });
  }

  #toDocument(record: EventRecord, isHidden: boolean): EventDocument {
    const { event, eventId, roomId } = record;
    const { room_version, arrival } = this.#room;
    return {
      _id: eventId,
      room_id: roomId,
      room_version,
      arrival: arrival + 1,
      depth: event.depth,
      type: event.type,
      sender: event.sender,
      ...(event.state_key === undefined ? {} : { state_key: event.state_key }),
      origin_server_ts: event.origin_server_ts,
      received_ts: record.receivedTs,
      ...toStoredEvent(record, room_version),
      ...(isHidden ? { media: [] } : this.#derived(event, arrival + 1)),
      ...(record.softFailed ? { soft_failed: true } : {}),
      ...(record.rejected ? { rejected: true } : {}),
    };
  }

  /** What is looked for in an event that can be seen. */
  #derived(event: StoredEvent, arrival: number): Partial<EventDocument> & Pick<EventDocument, 'media'> {
    const { type, state_key: stateKey, content } = event;
    const isState = stateKey !== undefined;
    const replaces = isState ? this.#current.get(stateKeyOf(type, stateKey)) : undefined;
    const relation = relationOf(content);
    const avatar = isState ? avatarUriOf(event) : undefined;
    const redacts =
      type === 'm.room.redaction' ? redactedIdOf(event, readingVersion(this.#room.room_version)) : undefined;
    return {
      ...(replaces === undefined ? {} : { replaces }),
      ...(isState && type === MEMBER ? this.#membershipFields(event, stateKey, arrival) : {}),
      ...(redacts === undefined ? {} : { redacts }),
      media: mediaUrisOf(event),
      ...(avatar === undefined ? {} : { avatar }),
      ...(relation ? { relates_to: relation.eventId, rel_type: relation.relType } : {}),
    };
  }

  #membershipFields(event: StoredEvent, userId: string, arrival: number): Partial<EventDocument> {
    const before = this.#memberships.get(userId) ?? NO_MEMBERSHIP;
    const after = own(event.content, 'membership');
    return {
      previous_membership: before,
      ...(after === 'join' && before !== 'join' ? { stay: stayAt(event.origin_server_ts, arrival) } : {}),
      ...(after === 'invite' ? { inviter: event.sender } : {}),
    };
  }

  #extremitiesAfter(event: StoredEvent, document: EventDocument): readonly Extremity[] {
    const followed = new Set(
      event.prev_events.map((reference) => (typeof reference === 'string' ? reference : reference[0])),
    );
    const newest: Extremity = {
      event_id: document._id,
      depth: event.depth,
      received_ts: document.received_ts,
      arrival: this.#room.arrival,
    };
    return [...this.#room.extremities.filter(({ event_id }) => !followed.has(event_id)), newest].slice(
      -MAX_EXTREMITIES,
    );
  }

  /** Has a state event be part of the state. */
  #enter(event: StoredEvent, document: EventDocument, stateKey: string): void {
    const room = this.#room;
    const { previous_membership: before } = document;
    Object.assign(room, {
      state_events: room.state_events + (document.replaces === undefined ? 1 : 0),
      ...summarise(event.type, stateKey, event.content),
      ...(before === undefined ? {} : countMember(room, event, before, this.#known.serverName)),
    });
    this.#current.set(stateKeyOf(event.type, stateKey), document._id);
    if (before !== undefined) this.#memberships.set(stateKey, String(own(event.content, 'membership')));
  }

  /** Takes the content of an event out of the summary where it is part of the state. */
  #redact(eventId: string): void {
    const target = this.#documents.get(eventId) ?? this.#known.redacted.get(eventId);
    if (target?.state_key === undefined || target.room_id !== this.#room._id) return;
    const { type, state_key: stateKey } = target;
    if (this.#current.get(stateKeyOf(type, stateKey)) !== eventId) return;
    Object.assign(this.#room, summarise(type, stateKey, redacted(toRoomEvent(target)).event.content));
  }

  /** An extremity with its reference hash, where the next event has to name it. */
  #withHash(extremity: Extremity): Extremity {
    const document = this.#documents.get(extremity.event_id);
    const version = readingVersion(this.#room.room_version);
    if (!document || version.plainReferences) return extremity;
    try {
      const hash = referenceHash(toRoomEvent(document).event, version);
      return { ...extremity, sha256: unpaddedBase64(hash) };
    } catch (error) {
      // Of old, events could hold what has no canonical form.
      if (error instanceof NotCanonical) return extremity;
      throw error;
    }
  }
}
