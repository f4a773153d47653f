import { refuse } from '@steward/errors';
import { type JsonObject, own, ownString } from '@steward/kernel';
import type { RoomEvent } from './event.ts';
import { isEventId } from './ids.ts';

/** The longest key of a reaction, in characters. */
const REACTION_KEY_MAX_CHARS = 500;

/** A relation of an event to another one. */
export interface Relation {
  readonly relType: string;
  /** The id of the other event. */
  readonly eventId: string;
  /** Of an annotation: its key. */
  readonly key?: string;
}

/** The relation that the content of an event states, if it is valid. */
export function relationOf(content: JsonObject): Relation | undefined {
  const stated = own(content, 'm.relates_to');
  const relType = ownString(stated, 'rel_type');
  const eventId = ownString(stated, 'event_id');
  if (relType === undefined || eventId === undefined || !isEventId(eventId)) return undefined;
  const key = ownString(stated, 'key');
  return { relType, eventId, ...(key === undefined ? {} : { key }) };
}

/** The facts on which the validity of a relation depends. */
export interface RelationFacts {
  readonly roomId: string;
  /** The event related to, which may be of another room; `undefined` if it does not exist. */
  readonly target: RoomEvent | undefined;
  /** Whether the sender has annotated the target with the same type and key before. */
  readonly isDuplicate: boolean;
}

/**
 * Refuses a new event whose relation is not valid (client-plane.md 4.6).
 *
 * @throws refuse.unknown for a target that is not in the room, an annotation without a valid key, and a thread whose
 * root is a relation itself; refuse.duplicateAnnotation
 */
export function checkRelation(relation: Relation, { roomId, target, isDuplicate }: RelationFacts): void {
  if (target?.roomId !== roomId)
    throw refuse.unknown("The event that 'm.relates_to' names is not in the room");
  if (relation.relType === 'm.annotation') {
    const { key } = relation;
    if (key === undefined) throw refuse.unknown('An annotation needs a key');
    if ([...key].length > REACTION_KEY_MAX_CHARS) {
      throw refuse.unknown(`The key of an annotation has at most ${REACTION_KEY_MAX_CHARS} characters`);
    }
    if (isDuplicate) throw refuse.duplicateAnnotation('You have sent this annotation already');
  }
  if (relation.relType === 'm.thread' && relationOf(target.event.content) !== undefined) {
    throw refuse.unknown('A thread cannot begin at an event that relates to another');
  }
}
