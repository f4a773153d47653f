import type { Clock } from '@steward/kernel';

/** Numbers per millisecond. */
const NUMBERS_PER_MS = 1_024;

/** Gives messages between devices their times of arrival. */
export interface DeviceMessageTimes {
  /** A time in units of a fraction of a millisecond; each is later than the previous one of this process. */
  next(): number;
}

/** Creates the times of one process. */
export function createDeviceMessageTimes(clock: Clock): DeviceMessageTimes {
  let last = 0;
  return {
    next() {
      last = Math.max(clock.now() * NUMBERS_PER_MS, last + 1);
      return last;
    },
  };
}
