/**
 * How long the bus remembers a published event id, in milliseconds. It must be longer than a relay may
 * take from reading an entry to having published it.
 */
export const DUPLICATE_WINDOW_MS = 120_000;
