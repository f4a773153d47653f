/** How long a dead letter is kept that nobody replays or drops: 90 days, in milliseconds. */
export const LETTERS_KEPT_MS = 90 * 24 * 60 * 60 * 1_000;
