/** How long a dead letter is kept unless an administrator replays or drops it: 90 days, in milliseconds. */
export const DEAD_LETTER_RETENTION_MS = 90 * 24 * 60 * 60 * 1_000;
