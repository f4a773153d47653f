import { refuse } from '@steward/errors';
import type { JsonObject } from '@steward/kernel';
import { EVENT_MAX_BYTES } from './build-event.ts';

/**
 * Parses the content of an event that a client sends: the text of a JSON object, without white space.
 *
 * @throws refuse.tooLarge for content that is too large for any event, before it is parsed
 */
export function parseContent(text: string): JsonObject {
  if (text.length > EVENT_MAX_BYTES) throw refuse.tooLarge(`An event has at most ${EVENT_MAX_BYTES} bytes`);
  return JSON.parse(text);
}
