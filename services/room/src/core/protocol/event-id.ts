import type { Random } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import { referenceHash, unpaddedBase64 } from './hash.ts';
import { randomLetters } from './room-id.ts';
import type { RoomVersion } from './room-versions.ts';

/** The number of random letters of an event id; enough to exclude collisions. */
const OPAQUE_LETTERS = 18;

/** A new event id for versions with random ids; `undefined` for versions whose ids are hashes of the event. */
export function newEventId(version: RoomVersion, random: Random, serverName: string): string | undefined {
  return version.eventIds === 'opaque'
    ? `$${randomLetters(random, OPAQUE_LETTERS)}:${serverName}`
    : undefined;
}

/**
 * The id of an event, which must have its hashes (client-plane.md 3).
 *
 * @param text its `redactedText`, if the caller has computed it
 * @throws Error for an event without id in a version with random ids
 */
export function eventIdOf(event: StoredEvent, version: RoomVersion, text?: string): string {
  if (version.eventIds === 'opaque') {
    if (event.event_id === undefined) throw new Error('An event of this room version must carry its id');
    return event.event_id;
  }
  const hash = referenceHash(event, version, text);
  return `$${version.eventIds === 'base64' ? unpaddedBase64(hash) : hash.toString('base64url')}`;
}
