/** How long a dead letter is kept that no administrator replays or drops: 90 days, in milliseconds. */
export const DEAD_LETTER_RETENTION_MS = 90 * 24 * 60 * 60 * 1_000;
