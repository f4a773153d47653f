import { canonicalJson, type JsonObject, NotCanonical } from '@steward/kernel';
import type { EventDraft, RoomEvent } from './event.ts';

/**
 * Whether a state event repeats the current one, which has the same sender and the same content; the request is then
 * answered with the id of the current one (client-plane.md 4.3).
 */
export function repeatsState(draft: EventDraft, current: RoomEvent | undefined): boolean {
  return (
    draft.state_key !== undefined &&
    current !== undefined &&
    current.event.sender === draft.sender &&
    isSame(current.event.content, draft.content)
  );
}

/** Compares contents; content without a canonical form equals nothing, so that `buildEvent` refuses it. */
function isSame(a: JsonObject, b: JsonObject): boolean {
  try {
    return canonicalJson(a) === canonicalJson(b);
  } catch (error) {
    if (error instanceof NotCanonical) return false;
    throw error;
  }
}
