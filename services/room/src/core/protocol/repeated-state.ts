import { canonicalJson, type JsonObject, NotCanonical } from '@steward/kernel';
import type { EventDraft, RoomEvent } from './event.ts';

/**
 * Whether a state event would change nothing: the current one has the same sender and the same content, so
 * that its id is the answer (client-plane.md 4.3).
 */
export function repeatsState(draft: EventDraft, current: RoomEvent | undefined): boolean {
  return (
    draft.state_key !== undefined &&
    current !== undefined &&
    current.event.sender === draft.sender &&
    isSame(current.event.content, draft.content)
  );
}

/** What has no canonical form is the same as nothing: `buildEvent` is to refuse it. */
function isSame(a: JsonObject, b: JsonObject): boolean {
  try {
    return canonicalJson(a) === canonicalJson(b);
  } catch (error) {
    if (error instanceof NotCanonical) return false;
    throw error;
  }
}
