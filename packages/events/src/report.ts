/**
 * Receives what goes wrong in the background and is dealt with: a handler that threw, a broker that
 * went away. `details` holds ids and an `error`, never the content of a fact.
 */
export type Report = (message: string, details: Readonly<Record<string, unknown>>) => void;
