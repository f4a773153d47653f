import { refuse } from '@steward/errors';
import { NotCanonical } from '@steward/kernel';
import type { EventDraft, EventReference, RoomEvent, StoredEvent } from './event.ts';
import { eventIdOf } from './event-id.ts';
import { contentHash, lastingText, referenceHash, unpaddedBase64 } from './hash.ts';
import { ID_MAX_BYTES } from './ids.ts';
import { roomIdOfCreate } from './room-id.ts';
import type { RoomVersion } from './room-versions.ts';
import { type SigningKey, signEvent } from './sign.ts';

/** The largest event, in bytes of canonical JSON with hashes and signatures (client-plane.md 3). */
export const EVENT_MAX_BYTES = 65_536;

/** The events that an event follows directly, at most. */
export const MAX_PREV_EVENTS = 10;

const DEPTH_MAX = Number.MAX_SAFE_INTEGER;

/** An event that another one follows. */
export interface PreviousEvent {
  readonly eventId: string;
  readonly depth: number;
  /** Its reference hash, for versions whose references hold one. */
  readonly sha256?: string;
}

/** Where in a room an event is to stand. */
export interface EventContext {
  readonly version: RoomVersion;
  /** `undefined` for the create event of a room whose id is its hash. */
  readonly roomId: string | undefined;
  /** The id of the event, in versions whose ids are made up: see `newEventId`. */
  readonly eventId: string | undefined;
  /** The newest events, at most `MAX_PREV_EVENTS` of which are followed: the deepest. Empty for a create event. */
  readonly previous: readonly PreviousEvent[];
  /** See `selectAuthEvents`. */
  readonly authEvents: readonly RoomEvent[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly serverName: string;
  readonly signingKey: SigningKey;
}

/** An event as it was built. */
export interface BuiltEvent extends RoomEvent {
  /** It as JSON text. */
  readonly json: string;
  /** The size of that, which is as long as its canonical form. */
  readonly bytes: number;
  /** Its reference hash, for versions whose references hold one. */
  readonly sha256?: string;
}

/**
 * Completes an event: references, hashes, signature and id (client-plane.md 4.1).
 *
 * @throws refuse.tooLarge for an event, or one of its ids, beyond the limits of client-plane.md 3
 * @throws refuse.badJson for content that has no canonical JSON: fractions, integers beyond 2^53 - 1, text
 * that is no Unicode, too deep a nesting
 */
export function buildEvent(draft: EventDraft, context: EventContext): BuiltEvent {
  try {
    return build(draft, context);
  } catch (error) {
    if (error instanceof NotCanonical) throw refuse.badJson(`The event ${error.message}`);
    throw error;
  }
}

function build(draft: EventDraft, context: EventContext): BuiltEvent {
  const { version, serverName, signingKey } = context;
  checkSizes(draft);
  const previous = deepest(context.previous);
  const unhashed: StoredEvent = {
    type: draft.type,
    content: draft.content,
    sender: draft.sender,
    ...(context.roomId === undefined ? {} : { room_id: context.roomId }),
    ...(context.eventId === undefined ? {} : { event_id: context.eventId }),
    ...(draft.state_key === undefined ? {} : { state_key: draft.state_key }),
    ...(draft.redacts === undefined ? {} : { redacts: draft.redacts }),
    origin_server_ts: context.now,
    prev_events: previous.map(({ eventId, sha256 }) => reference(version, eventId, sha256)),
    auth_events: context.authEvents.map(({ eventId, event }) =>
      reference(version, eventId, version.plainReferences ? undefined : sha256Of(event, version)),
    ),
    depth: Math.min(1 + Math.max(0, ...previous.map(({ depth }) => depth)), DEPTH_MAX),
  };
  const hashed: StoredEvent = { ...unhashed, hashes: { sha256: contentHash(unhashed) } };
  // Made once: it is long in the making, and the same for the signature and the id.
  const text = lastingText(hashed, version);
  const signatures = signEvent(hashed, version, serverName, signingKey, text);
  const event: StoredEvent = { ...hashed, signatures };
  // What has a canonical form is written the same way in any other order.
  const json = JSON.stringify(event);
  const bytes = Buffer.byteLength(json);
  if (bytes > EVENT_MAX_BYTES) throw refuse.tooLarge(`An event has at most ${EVENT_MAX_BYTES} bytes`);
  return {
    eventId: eventIdOf(event, version, text),
    roomId: context.roomId ?? roomIdOfCreate(event, version),
    roomVersion: version.id,
    event,
    json,
    bytes,
    ...(version.plainReferences ? {} : { sha256: sha256Of(event, version) }),
  };
}

function deepest(previous: readonly PreviousEvent[]): readonly PreviousEvent[] {
  return previous.toSorted((a, b) => b.depth - a.depth).slice(0, MAX_PREV_EVENTS);
}

function sha256Of(event: StoredEvent, version: RoomVersion): string {
  return unpaddedBase64(referenceHash(event, version));
}

function reference(version: RoomVersion, eventId: string, sha256: string | undefined): EventReference {
  if (version.plainReferences) return eventId;
  return [eventId, sha256 === undefined ? {} : { sha256 }];
}

function checkSizes({ type, sender, state_key }: EventDraft): void {
  for (const [name, text] of Object.entries({ type, sender, state_key })) {
    if (text !== undefined && Buffer.byteLength(text) > ID_MAX_BYTES) {
      throw refuse.tooLarge(`'${name}' has at most ${ID_MAX_BYTES} bytes`);
    }
  }
}
