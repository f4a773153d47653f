import type { Random } from '@steward/kernel';
import type { StoredEvent } from './event.ts';
import { referenceHash } from './hash.ts';
import type { RoomVersion } from './room-versions.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Enough letters that no two rooms ever share them. */
const OPAQUE_LETTERS = 18;

/** `length` random letters of either case. */
export function randomLetters(random: Random, length: number): string {
  return Array.from({ length }, () => LETTERS[random.below(LETTERS.length)]).join('');
}

/** A new room id for versions whose ids are made up. */
export function newRoomId(random: Random, serverName: string): string {
  return `!${randomLetters(random, OPAQUE_LETTERS)}:${serverName}`;
}

/** The id of the room that a create event, with its hashes, begins in versions whose room ids are hashes. */
export function roomIdOfCreate(create: StoredEvent, version: RoomVersion): string {
  return `!${referenceHash(create, version).toString('base64url')}`;
}
