/**
 * Receives the failures in the background that the package handles itself: a handler that threw, a lost
 * connection to the broker. `details` holds ids and an `error`, never the content of a fact.
 */
export type Report = (message: string, details: Readonly<Record<string, unknown>>) => void;
