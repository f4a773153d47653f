import { refuse } from '@steward/errors';
import { NotCanonical } from '@steward/kernel';
import type { EventDraft, EventReference, RoomEvent, StoredEvent } from './event.ts';
import { eventIdOf } from './event-id.ts';
import { contentHash, redactedText, referenceHash, unpaddedBase64 } from './hash.ts';
import { ID_MAX_BYTES } from './ids.ts';
import { roomIdOfCreate } from './room-id.ts';
import type { RoomVersion } from './room-versions.ts';
import { type SigningKey, signEvent } from './sign.ts';

/** The largest event, in bytes of canonical JSON with hashes and signatures (client-plane.md 3). */
export const EVENT_MAX_BYTES = 65_536;

/** The most events that an event follows directly. */
export const MAX_PREV_EVENTS = 10;

const DEPTH_MAX = Number.MAX_SAFE_INTEGER;

/** An event that the new one follows. */
export interface PreviousEvent {
  readonly eventId: string;
  readonly depth: number;
  /** Its reference hash, in versions whose references contain one. */
  readonly sha256?: string;
}

/** The position of a new event in its room. */
export interface EventContext {
  readonly version: RoomVersion;
  /** `undefined` for the create event of a room whose id is its hash. */
  readonly roomId: string | undefined;
  /** The id of the event, in versions with random ids: see `newEventId`. */
  readonly eventId: string | undefined;
  /** The forward extremities, of which the event follows the deepest `MAX_PREV_EVENTS`. Empty for a create event. */
  readonly previous: readonly PreviousEvent[];
  /** See `selectAuthEvents`. */
  readonly authEvents: readonly RoomEvent[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly serverName: string;
  readonly signingKey: SigningKey;
}

/** A complete event. */
export interface BuiltEvent extends RoomEvent {
  /** The event as JSON text. */
  readonly json: string;
  /** The size of `json` in bytes, which equals that of the canonical form. */
  readonly bytes: number;
  /** Its reference hash, in versions whose references contain one. */
  readonly sha256?: string;
}

/**
 * Completes an event: references, hashes, signature and id (client-plane.md 4.1).
 *
 * @throws refuse.tooLarge for an event, or one of its ids, beyond the limits of client-plane.md 3
 * @throws refuse.badJson for content without canonical JSON: fractions, integers beyond 2^53 - 1, text that is not
 * Unicode, too deep nesting
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
  // Hashing is expensive, and a client can send content that is several times as long as an event.
  checkEventSize(JSON.stringify(unhashed));
  const hashed: StoredEvent = { ...unhashed, hashes: { sha256: contentHash(unhashed) } };
  // Computed once, because it is expensive, and both the signature and the id need it.
  const text = redactedText(hashed, version);
  const signatures = signEvent(hashed, version, serverName, signingKey, text);
  const event: StoredEvent = { ...hashed, signatures };
  // Has the same length as the canonical JSON, which only orders the keys differently.
  const json = JSON.stringify(event);
  const bytes = checkEventSize(json);
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

/** Returns the size of the text of an event, in bytes. */
function checkEventSize(json: string): number {
  const bytes = Buffer.byteLength(json);
  if (bytes > EVENT_MAX_BYTES) throw refuse.tooLarge(`An event has at most ${EVENT_MAX_BYTES} bytes`);
  return bytes;
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
