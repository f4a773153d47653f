import { refuse } from '@steward/errors';
import { type Clock, NotCanonical, own, type Random } from '@steward/kernel';
import type { Collections } from '../collections.ts';
import { changedFields, roomAfter, summaryAfterRedaction, toEventDocument } from '../model/admit-event.ts';
import type { EventDocument, ProfileKey } from '../model/event-document.ts';
import { redacted, toRoomEvent } from '../model/event-form.ts';
import { isPresent, type MemberDocument, NO_MEMBERSHIP, noMember } from '../model/member.ts';
import { MAX_ADMITTED } from '../model/pending-effects.ts';
import type { Extremity, Room } from '../model/room.ts';
import { type KnownState, stateKeyOf } from '../model/room-memory.ts';
import { EMPTY_INTERVAL, type StateDocument } from '../model/state-document.ts';
import {
  authorize,
  authStateKeys,
  type BuiltEvent,
  buildEvent,
  type EventDraft,
  findRoomVersion,
  isMembership,
  MAX_PREV_EVENTS,
  newEventId,
  type RoomEvent,
  type RoomVersion,
  refuseDenied,
  repeatsState,
  type SigningKey,
  type StateKey,
  type StateLookup,
  selectAuthEvents,
  serverNameOf,
} from '../protocol/mod.ts';
import { loadEvents } from '../reading/load-events.ts';
import { stateEventAt, stateEventsAt } from '../reading/state-at.ts';
import { findSent, type Transaction } from '../reading/transaction.ts';

/** Thrown when a batch has as many events as one commit admits; the next batch continues. */
export class BatchFull extends Error {
  override readonly name = 'BatchFull';
}

/** An event that the next commit admits. */
export interface Admitted {
  readonly event: RoomEvent;
  readonly arrival: number;
  readonly document: EventDocument;
  /** W3C trace context of the request; may be empty. */
  readonly traceparent: string;
}

/** The options for sending an event. */
export interface SendOptions {
  /** The transaction that sends it. */
  readonly transaction?: Transaction;
  /** Whether it invites a user who is already deactivated: such an invitation stays (client-plane.md 5.2). */
  readonly toDeactivated?: boolean;
  /** See `EventDocument.own_profile`. */
  readonly ownProfile?: readonly ProfileKey[];
  /** Whether the user of a member event forgets the room with it. */
  readonly forgets?: boolean;
  /** The administrator on whose order it is sent, by their name in the audit log. */
  readonly orderedBy?: string;
  /** The state by which the caller has admitted the event, where that is not for the current one to decide. */
  readonly admittedBy?: StateLookup;
  /** Whether members see that, whatever the settings say. */
  readonly showsOrder?: boolean;
}

/** The event that was sent, or the current one that it repeats. */
export interface Sent {
  readonly eventId: string;
  /** Whether it repeats the current state (client-plane.md 4.3). */
  readonly existed: boolean;
}

/** The dependencies of a view; see `Deps`. */
export interface ViewDeps extends Pick<Collections, 'events' | 'states'> {
  readonly serverName: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly signingKey: SigningKey;
  readonly nextMembershipEpoch: () => number;
}

/** The options of a view. */
export interface ViewOptions {
  /** The known state at the version of the room. */
  readonly known?: KnownState;
}

/** The state of a view, to which `reset` returns. */
interface Mark {
  readonly room: Room;
  readonly state: ReadonlyMap<string, RoomEvent | undefined>;
  readonly admitted: number;
}

/**
 * A room at one version, and the events that are added until the commit. Code that decides on changes reads and adds
 * events here. Stores nothing.
 */
export class RoomView {
  readonly #deps: ViewDeps;
  readonly #loaded: Room;
  #room: Room;
  readonly #known: Map<string, RoomEvent | undefined>;
  #changed = new Map<string, RoomEvent | undefined>();
  readonly #admitted: Admitted[] = [];
  #traceparent = '';

  constructor(deps: ViewDeps, room: Room, { known }: ViewOptions = {}) {
    this.#deps = deps;
    this.#loaded = room;
    this.#room = room;
    this.#known = new Map(known);
  }

  /** The room with the added events. */
  get room(): Room {
    return this.#room;
  }

  /** The added events, in order. */
  get admitted(): readonly Admitted[] {
    return this.#admitted;
  }

  /** The known state, with the added events. */
  get knownState(): KnownState {
    return new Map([...this.#known, ...this.#changed]);
  }

  /** The state event of a type and key, redacted if it has been. */
  async state(type: string, stateKey = ''): Promise<RoomEvent | undefined> {
    const key = stateKeyOf(type, stateKey);
    if (this.#changed.has(key)) return this.#changed.get(key);
    if (this.#known.has(key)) return this.#known.get(key);
    const point = { roomId: this.#room._id, arrival: this.#loaded.arrival };
    const document = point.arrival === 0 ? undefined : await stateEventAt(this.#deps, point, type, stateKey);
    const found = document && toRoomEvent(document);
    this.#known.set(key, found);
    return found;
  }

  /** The membership of a user; `NO_MEMBERSHIP` for a user without one. */
  async membership(userId: string): Promise<string> {
    const membership = own((await this.state('m.room.member', userId))?.event.content, 'membership');
    return isMembership(membership) ? membership : NO_MEMBERSHIP;
  }

  /**
   * The id of the event that a transaction has sent, if it is stored or was added here.
   *
   * @param unsentAt a version of the room at which the transaction had sent nothing
   */
  async sentBy(transaction: Transaction, unsentAt?: number): Promise<string | undefined> {
    const added = this.#admitted.find(({ document }) => document.txn === transaction.key);
    if (added) return added.event.eventId;
    return unsentAt === this.#loaded.version ? undefined : findSent(this.#deps, transaction);
  }

  /** Reads the state of some keys with one query, so that later calls need no query. */
  async prepare(keys: readonly StateKey[]): Promise<void> {
    const unknown = keys.filter((stateKey) => {
      const key = stateKeyOf(...stateKey);
      return !this.#changed.has(key) && !this.#known.has(key);
    });
    // A single key is read when it is needed.
    if (unknown.length <= 1 || this.#loaded.arrival === 0) return;
    const point = { roomId: this.#room._id, arrival: this.#loaded.arrival };
    const documents = await stateEventsAt(this.#deps, point, unknown);
    for (const stateKey of unknown) this.#known.set(stateKeyOf(...stateKey), undefined);
    for (const document of documents) {
      this.#known.set(stateKeyOf(document.type, document.state_key ?? ''), toRoomEvent(document));
    }
  }

  /** Reads the state of some keys, and returns a lookup of it; the lookup finds nothing for other keys. */
  async lookup(keys: readonly StateKey[]): Promise<StateLookup> {
    await this.prepare(keys);
    const found = new Map<string, RoomEvent | undefined>();
    for (const [type, stateKey] of keys)
      found.set(stateKeyOf(type, stateKey), await this.state(type, stateKey));
    return (type, stateKey) => found.get(stateKeyOf(type, stateKey));
  }

  /** Whether a state event repeats the current one (client-plane.md 4.3); `add` then adds nothing. */
  async repeats(draft: EventDraft): Promise<boolean> {
    const current = await this.#current(draft);
    return current !== undefined && repeats(draft, current);
  }

  /**
   * Adds an event, if the room admits it.
   *
   * @throws BatchFull when the commit admits no further event
   * @throws the refusal of the room; then nothing is added
   */
  async add(draft: EventDraft, options: SendOptions = {}): Promise<Sent> {
    const current = await this.#current(draft);
    if (current && repeats(draft, current)) {
      // A repeated membership is answered even if the room would not admit it again.
      if (draft.type !== 'm.room.member') await this.#authorize(draft);
      return { eventId: current.eventId, existed: true };
    }
    if (this.#admitted.length === MAX_ADMITTED) throw new BatchFull('The commit admits no more events');
    const built = await this.#build(draft, options.admittedBy);
    const document = await this.#toDocument(built, current, options);
    const { eventId, roomId, event, sha256 } = built;
    const arrival = this.#room.arrival + 1;
    this.#admitted.push({ event: built, arrival, document, traceparent: this.#traceparent });
    const { serverName } = this.#deps;
    // A create event may determine the id of its room.
    const after = { _id: roomId, ...roomAfter(this.#room, event, document, { serverName, sha256 }) };
    this.#room = { ...this.#room, ...after };
    if (draft.state_key !== undefined) this.#changed.set(stateKeyOf(draft.type, draft.state_key), built);
    if (document.redacts !== undefined) await this.#redact(document.redacts);
    return { eventId, existed: false };
  }

  /**
   * Begins the work of one request.
   *
   * @param traceparent W3C trace context; may be empty
   * @returns the state of the view, for `reset`
   */
  begin(traceparent: string): Mark {
    this.#traceparent = traceparent;
    return { room: this.#room, state: new Map(this.#changed), admitted: this.#admitted.length };
  }

  /** Removes the events that were added since the mark. */
  reset(mark: Mark): void {
    this.#room = mark.room;
    this.#changed = new Map(mark.state);
    this.#admitted.length = mark.admitted;
  }

  /** Drops the added events, so that a preflight, which commits nothing, can add more than one commit admits. */
  discardAdmitted(): void {
    this.#admitted.length = 0;
  }

  /** The fields of the room that the added events change. */
  changes(): Partial<Room> {
    return changedFields(this.#loaded, this.#room);
  }

  /** The documents to insert before the commit; without existing member documents. */
  documents(): {
    readonly events: readonly EventDocument[];
    readonly states: readonly StateDocument[];
    readonly members: readonly MemberDocument[];
  } {
    const documents = this.#admitted.map(({ document }) => document);
    return {
      events: documents,
      states: documents.flatMap(({ _id, room_id, type, state_key }) =>
        state_key === undefined ? [] : [{ _id, room_id, type, state_key, ...EMPTY_INTERVAL }],
      ),
      members: documents.flatMap(({ room_id, state_key, previous_membership }) =>
        state_key !== undefined && previous_membership === NO_MEMBERSHIP
          ? [noMember(room_id, state_key, this.#deps.serverName)]
          : [],
      ),
    };
  }

  /** The state event that the event would replace or repeat. */
  async #current({ type, state_key }: EventDraft): Promise<RoomEvent | undefined> {
    return state_key === undefined ? undefined : this.state(type, state_key);
  }

  /** Returns the version and the state by which the event is authorised; throws if it is not. */
  async #authorize(
    draft: EventDraft,
    admittedBy?: StateLookup,
  ): Promise<{ version: RoomVersion; state: StateLookup }> {
    const version = findRoomVersion(this.#room.room_version);
    if (!version) throw refuse.forbidden('This server does not support the version of the room');
    if (admittedBy) return { version, state: admittedBy };
    const state = await this.lookup(authStateKeys(draft));
    refuseDenied(authorize(draft, version, state));
    return { version, state };
  }

  async #build(draft: EventDraft, admittedBy: StateLookup | undefined): Promise<BuiltEvent> {
    const { version, state } = await this.#authorize(draft, admittedBy);
    const { clock, random, serverName, signingKey } = this.#deps;
    return buildEvent(draft, {
      version,
      roomId: this.#room._id || undefined,
      eventId: newEventId(version, random, serverName),
      previous: followedBy(this.#room.extremities).map(({ event_id: eventId, depth, sha256 }) => ({
        eventId,
        depth,
        ...(sha256 === undefined ? {} : { sha256 }),
      })),
      authEvents: selectAuthEvents(draft, version, state),
      now: clock.now(),
      serverName,
      signingKey,
    });
  }

  async #toDocument(
    built: BuiltEvent,
    current: RoomEvent | undefined,
    {
      transaction,
      toDeactivated = false,
      ownProfile = [],
      forgets = false,
      orderedBy,
      showsOrder = false,
    }: SendOptions,
  ): Promise<EventDocument> {
    const { clock, nextMembershipEpoch, serverName } = this.#deps;
    const now = clock.now();
    const { type, state_key: stateKey, content } = built.event;
    const isMember = type === 'm.room.member' && stateKey !== undefined;
    const before = isMember ? await this.membership(stateKey) : undefined;
    const after = own(content, 'membership');
    const enters = isMembership(after) && isPresent(after) && after !== before;
    const isLocal = isMember && serverNameOf(stateKey) === serverName;
    const document = toEventDocument(this.#room, {
      ...built,
      receivedTs: now,
      replaces: current?.eventId,
      previousMembership: before,
      newEpoch: nextMembershipEpoch,
    });
    return {
      ...document,
      unseen_since: now,
      unrelated: true,
      ...(isLocal && enters && !toDeactivated ? { newcomer: true } : {}),
      ...(ownProfile.length > 0 ? { own_profile: ownProfile } : {}),
      ...(forgets ? { forgets: true } : {}),
      ...(orderedBy === undefined ? {} : { ordered_by: orderedBy }),
      ...(showsOrder ? { shows_order: true } : {}),
      ...(transaction
        ? { txn: transaction.key, txn_id: transaction.txnId, session: transaction.session }
        : {}),
    };
  }

  /** Redacts an event in the state and the summary, if it is part of the current state. */
  async #redact(eventId: string): Promise<void> {
    const added = this.#admitted.find(({ event }) => event.eventId === eventId)?.event;
    const [stored] = added ? [] : await loadEvents(this.#deps, [eventId]);
    const { type, state_key: stateKey } = added?.event ?? stored ?? {};
    if (type === undefined || stateKey === undefined) return;
    const current = await this.state(type, stateKey);
    if (current?.eventId !== eventId) return;
    this.#changed.set(stateKeyOf(type, stateKey), redacted(current));
    this.#room = { ...this.#room, ...summaryAfterRedaction(current) };
  }
}

/** As `repeatsState`; `false` for content without a canonical form, which `buildEvent` refuses. */
function repeats(draft: EventDraft, current: RoomEvent): boolean {
  try {
    return repeatsState(draft, current);
  } catch (error) {
    if (error instanceof NotCanonical) return false;
    throw error;
  }
}

/** The extremities that the next event follows: the deepest `MAX_PREV_EVENTS`. */
function followedBy(extremities: readonly Extremity[]): readonly Extremity[] {
  return extremities.toSorted((a, b) => b.depth - a.depth || b.arrival - a.arrival).slice(0, MAX_PREV_EVENTS);
}
