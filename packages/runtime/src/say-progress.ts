import { type Clock, systemClock } from '@steward/kernel';
import type { BuildProgress, MigrationProgress } from '@steward/store';

/** The shortest interval between two lines about one work, in milliseconds. */
const INTERVAL_MS = 2_000;

type Say = (line: string) => void;

/**
 * Makes lines of the progress with which a store builds indexes: at most one in two seconds and, for a collection that takes
 * longer, one at its end. Collections that take less are not mentioned.
 */
export function sayBuilds(say: Say, clock: Clock = systemClock): (progress: BuildProgress) => void {
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

/** Makes lines of the progress of migrations that take longer than two seconds: at most one in two seconds. */
export function sayMigrations(say: Say, clock: Clock = systemClock): (progress: MigrationProgress) => void {
  let said = clock.now();
  return ({ service, name, done }) => {
    const now = clock.now();
    if (done > 0 && now - said < INTERVAL_MS) return;
    said = now;
    if (done > 0) say(`migrates the data of ${service}, ${name}: ${done} documents so far`);
  };
}
