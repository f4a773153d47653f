import type { Random } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import { referenceHash } from './hash.ts';
import type { RoomVersion } from './room-versions.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The number of random letters of a room id; enough to exclude collisions. */
const OPAQUE_LETTERS = 18;

/** `length` random letters of either case. */
export function randomLetters(random: Random, length: number): string {
  return Array.from({ length }, () => LETTERS[random.below(LETTERS.length)]).join('');
}

/** A new room id for versions with random ids. */
export function newRoomId(random: Random, serverName: string): string {
  return `!${randomLetters(random, OPAQUE_LETTERS)}:${serverName}`;
}

/** The id of a room by its create event, in versions whose room ids are hashes. */
export function roomIdOfCreate(create: StoredEvent, version: RoomVersion): string {
  return `!${referenceHash(create, version).toString('base64url')}`;
}
