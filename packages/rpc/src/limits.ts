/** The largest message that is read or written, in bytes: room for a page of 10,000 accounts. */
export const MESSAGE_LIMIT_BYTES = 32 * 1024 * 1024;

/** The longest deadline that a caller may set, in milliseconds: that of a call which waits for something to happen. */
export const DEADLINE_LIMIT_MS = 360_000;
