/** The size limit of a message, in bytes: enough for a page of 10,000 accounts. */
export const MESSAGE_LIMIT_BYTES = 32 * 1024 * 1024;

/** The longest deadline that a caller may set, in milliseconds: that of a long poll. */
export const DEADLINE_LIMIT_MS = 360_000;
