/** The size limit of a message, in bytes: enough for a page of 10,000 accounts. */
export const MESSAGE_LIMIT_BYTES = 32 * 1024 * 1024;

/** The size limit of a message of a client, in bytes: twice that of the largest request of administrators. */
export const CLIENT_MESSAGE_LIMIT_BYTES = 2 * 1024 * 1024;

/** The longest deadline that a caller may set, in milliseconds: that of a long poll. */
export const DEADLINE_LIMIT_MS = 360_000;

/**
 * The limit of the bytes that Node counts for a connection, in megabytes: one that is never reached. Node goes on counting
 * what was queued on a stream that is aborted (docs/upstream.md), so every other limit ends the calls of a connection over
 * which downloads or uploads are aborted. The number of its streams and their windows bound what it holds.
 */
export const CONNECTION_MEMORY_MB = 1_000_000_000;
