import type { Clock } from '@steward/kernel';
import { LRUCache } from 'lru-cache';
import type { Entry } from './entry.ts';

/** How long an entry stands for further reads of the same kind, in milliseconds. */
const INTERVAL_MS = 60 * 60 * 1_000;

/** How many kinds of reads are remembered; a read of a forgotten kind is recorded again. */
const MAX_KINDS = 20_000;

/** What distinguishes reads of a session. */
type Read = Pick<Entry, 'action' | 'targets'>;

/** Remembers which reads were recorded within the last hour: by session, action and targets. */
export class RecordedReads {
  readonly #clock: Clock;
  readonly #recorded = new LRUCache<string, number>({ max: MAX_KINDS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a read needs an entry. */
  isDue(session: string, read: Read): boolean {
    const recorded = this.#recorded.get(kindOf(session, read));
    // Also one that is ahead is due, because the clock was set back since.
    return recorded === undefined || Math.abs(this.#clock.now() - recorded) >= INTERVAL_MS;
  }

  /** Remembers a read that was recorded. */
  add(session: string, read: Read): void {
    this.#recorded.set(kindOf(session, read), this.#clock.now());
  }
}

/** Targets contain no NUL, see `targetText`. */
function kindOf(session: string, { action, targets }: Read): string {
  return [session, action, ...targets].join('\0');
}
