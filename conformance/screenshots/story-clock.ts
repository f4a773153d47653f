import { type Clock, systemClock } from '@steward/kernel';

/** A clock that begins in the past and is moved to the present. */
export interface StoryClock extends Clock {
  /** Moves it to a time before the present, in milliseconds; to a time that has passed on it already, not at all. */
  goTo(beforeNowMs: number): void;
}

/** A clock that shows the time `beforeNowMs` milliseconds ago, and goes on from there. */
export function createStoryClock(beforeNowMs: number): StoryClock {
  let behindMs = beforeNowMs;
  return {
    now: () => systemClock.now() - behindMs,
    goTo(next) {
      behindMs = Math.max(Math.min(behindMs, next), 0);
    },
  };
}
