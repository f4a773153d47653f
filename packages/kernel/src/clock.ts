/** A source of the current time. Injected everywhere, so that tests control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The clock of the machine: the only place that reads the ambient time. */
export const systemClock: Clock = { now: () => Date.now() };
