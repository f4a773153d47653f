import { type Denial, forbidden } from './denial.ts';
import type { RoomEvent, StateLookup } from './event.ts';
import { powerLevelsOf } from './power-levels.ts';
import type { RoomVersion } from './room-versions.ts';

/** The types of events that cannot be redacted, because a room does not work without them. */
const UNREDACTABLE: ReadonlySet<string> = new Set(['m.room.create', 'm.room.server_acl']);

/** Whether events of a type can be redacted. */
export function isRedactable(type: string): boolean {
  return !UNREDACTABLE.has(type);
}

/** A redaction to check. */
export interface RedactionRequest {
  readonly roomId: string;
  readonly redactor: string;
  /** The event to redact, which may be of another room; `undefined` if it does not exist. */
  readonly target: RoomEvent | undefined;
}

/**
 * Returns why a sender may not redact an event; `undefined` if they may (client-plane.md 4.5). Whether the sender may
 * send redactions at all is checked by `authorize`.
 */
export function denyRedaction(
  { roomId, redactor, target }: RedactionRequest,
  version: RoomVersion,
  state: StateLookup,
): Denial | undefined {
  const mayRedactOthers = hasRedactPower(redactor, version, state);
  if (target === undefined) {
    return mayRedactOthers ? undefined : { refusal: 'notFound', message: 'There is no such event' };
  }
  if (target.roomId !== roomId) return { refusal: 'unknown', message: 'The event is of another room' };
  if (!isRedactable(target.event.type)) return forbidden(`${target.event.type} cannot be redacted`);
  if (mayRedactOthers || target.event.sender === redactor) return undefined;
  return forbidden('Your power level is too low to redact the events of others');
}

/** Whether a redaction takes effect: the target is in the same room, and is the sender's own or the level suffices. */
export function redactionApplies(
  redaction: RoomEvent,
  target: RoomEvent,
  version: RoomVersion,
  state: StateLookup,
): boolean {
  const { sender } = redaction.event;
  if (redaction.roomId !== target.roomId || target.event.type === 'm.room.create') return false;
  return sender === target.event.sender || hasRedactPower(sender, version, state);
}

function hasRedactPower(userId: string, version: RoomVersion, state: StateLookup): boolean {
  const levels = powerLevelsOf(state, version);
  return levels.ofUser(userId) >= levels.toDo('redact');
}
