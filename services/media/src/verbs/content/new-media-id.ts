import type { Random } from '@steward/kernel';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Enough bytes that an id cannot be guessed and does not occur twice. */
const MEDIA_ID_LENGTH = 24;

/** Returns the id of a new medium (client-plane.md 3). */
export function newMediaId(random: Random): string {
  return Array.from({ length: MEDIA_ID_LENGTH }, () => LETTERS[random.below(LETTERS.length)]).join('');
}
