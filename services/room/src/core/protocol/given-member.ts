import { refuse } from '@steward/errors';
import { type JsonObject, ownString } from '@steward/kernel';

/** The longest texts of a member event, in characters. */
const MAX_DISPLAYNAME = 256;
const MAX_AVATAR_URL = 1_000;
const MAX_REASON = 512;

/** The largest content, in bytes of JSON: far more than clients send, because a room keeps it for every member. */
const MAX_BYTES = 4_096;

/**
 * Refuses the content that a client gives for a member event, if it is too large.
 *
 * @throws refuse.unknown for a profile that is longer than one of an account (client-plane.md 3); refuse.tooLarge
 */
export function validateGivenMember(given: JsonObject): void {
  if (isLonger(given, 'displayname', MAX_DISPLAYNAME)) {
    throw refuse.unknown(`'displayname' has at most ${MAX_DISPLAYNAME} characters`);
  }
  if (isLonger(given, 'avatar_url', MAX_AVATAR_URL)) {
    throw refuse.unknown(`'avatar_url' has at most ${MAX_AVATAR_URL} characters`);
  }
  if (isLonger(given, 'reason', MAX_REASON)) {
    throw refuse.tooLarge(`'reason' has at most ${MAX_REASON} characters`);
  }
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES) {
    throw refuse.tooLarge(`The content of a member event has at most ${MAX_BYTES} bytes`);
  }
}

function isLonger(given: JsonObject, key: string, most: number): boolean {
  const text = ownString(given, key) ?? '';
  // Fewer code units than `most` cannot be more characters.
  return text.length > most && [...text].length > most;
}
