import type { Clock } from '@steward/kernel';

/** 2024-01-01T00:00:00Z, in milliseconds since the Unix epoch; an arbitrary time. */
const DEFAULT_START_MS = 1_704_067_200_000;

/** A clock that stands still until it is advanced. */
export interface FakeClock extends Clock {
  /**
   * Moves the clock forward.
   *
   * @throws RangeError for less than 0 ms
   */
  advance(ms: number): void;
}

/** A clock that shows `startMs`, in milliseconds since the Unix epoch. */
export function createFakeClock(startMs = DEFAULT_START_MS): FakeClock {
  let now = startMs;
  return {
    now: () => now,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`A clock cannot be moved by ${ms} ms`);
      now += ms;
    },
  };
}
