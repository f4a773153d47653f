/** A source of the present time. Injected everywhere, so that a test can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The clock of the machine: the one place where the ambient time is read. */
export const systemClock: Clock = { now: () => Date.now() };
