/**
 * How long a published event id is remembered, in milliseconds. It has to be longer than a relay may
 * take between reading an entry and having published it.
 */
export const DUPLICATE_WINDOW_MS = 120_000;
