import type { Random } from '@steward/kernel';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** So many that nobody finds a medium by guessing, nor meets an id a second time. */
const MEDIA_ID_LENGTH = 24;

/** The id of a new medium (client-plane.md 3). */
export function newMediaId(random: Random): string {
  return Array.from({ length: MEDIA_ID_LENGTH }, () => LETTERS[random.below(LETTERS.length)]).join('');
}
