import { type Denial, forbidden } from './denial.ts';
import type { RoomEvent, StateLookup } from './event.ts';
import { powerLevelsOf } from './power-levels.ts';
import type { RoomVersion } from './room-versions.ts';

/** What a room cannot do without, even for those who wrote it. */
const UNREDACTABLE: ReadonlySet<string> = new Set(['m.room.create', 'm.room.server_acl']);

/** What somebody wants to redact. */
export interface RedactionRequest {
  readonly roomId: string;
  readonly redactor: string;
  /** The event to be redacted, of whatever room; `undefined` if there is none of that id. */
  readonly target: RoomEvent | undefined;
}

/**
 * Why a redaction is refused to its sender; `undefined` when it may be sent (client-plane.md 4.5). That
 * the room lets them send redactions at all is for `authorize` to say.
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
  if (UNREDACTABLE.has(target.event.type)) return forbidden(`${target.event.type} cannot be redacted`);
  if (mayRedactOthers || target.event.sender === redactor) return undefined;
  return forbidden("The power level does not suffice to redact others' events");
}

/** Whether a redaction takes effect on its target: same room, and own event or enough power. */
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
