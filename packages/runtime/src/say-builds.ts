import { systemClock } from '@steward/kernel';
import type { BuildProgress } from '@steward/store';

/** The shortest interval between two lines about one collection, in milliseconds. */
const INTERVAL_MS = 2_000;

/**
 * Makes lines of the progress with which a store builds indexes: at most one in two seconds and, for a collection that takes
 * longer, one at its end. Collections that take less are not mentioned.
 */
export function sayBuilds(
  say: (line: string) => void,
  clock = systemClock,
): (progress: BuildProgress) => void {
  let said = clock.now();
  let mentioned = '';
  return ({ collection, built, of }) => {
    const now = clock.now();
    const isEnd = built === of && mentioned === collection;
    if (now - said < INTERVAL_MS && !isEnd) return;
    said = now;
    mentioned = collection;
    say(`builds the indexes of ${collection}: ${built} of ${of}`);
  };
}
