import type { Random } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import { referenceHash, unpaddedBase64 } from './hash.ts';
import { randomLetters } from './room-id.ts';
import type { RoomVersion } from './room-versions.ts';

/** Enough letters that no two events ever share them. */
const OPAQUE_LETTERS = 18;

/** A new event id for versions whose ids are made up; `undefined` where the event decides it. */
export function newEventId(version: RoomVersion, random: Random, serverName: string): string | undefined {
  return version.eventIds === 'opaque'
    ? `$${randomLetters(random, OPAQUE_LETTERS)}:${serverName}`
    : undefined;
}

/**
 * The id of an event that has its hashes (client-plane.md 3).
 *
 * @param text its `lastingText`, if that is known
 * @throws Error for an event without id in a version whose ids are made up
 */
export function eventIdOf(event: StoredEvent, version: RoomVersion, text?: string): string {
  if (version.eventIds === 'opaque') {
    if (event.event_id === undefined) throw new Error('An event of this room version must carry its id');
    return event.event_id;
  }
  const hash = referenceHash(event, version, text);
  return `$${version.eventIds === 'base64' ? unpaddedBase64(hash) : hash.toString('base64url')}`;
}
