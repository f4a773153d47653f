import type { Report } from '@steward/events';
import { coalesceCalls, pauseUntil } from '@steward/kernel';
import { Conflict, Unavailable, type WritesAlong } from '@steward/store';
import type { StoredEvent } from '../model/feed-event.ts';
import type { FeedHead } from '../model/feed-head.ts';
import { appendBatch, BATCH } from './append-batch.ts';
import type { FeedDeps } from './feed-deps.ts';
import { type NewEvent, storedEvent } from './feed-event.ts';

/** The pauses after the first, second, ... failure to store, in milliseconds, and that after all further ones. */
const PAUSES_MS = [50, 200, 500, 1_000];
const LONGEST_PAUSE_MS = 2_000;

/** Appends events to the feed in the order of its calls; events of concurrent calls share a commit. */
export interface FeedAppender {
  /**
   * Appends an event, unless the feed has one with its id. Resolves when it is stored with its position. While the store is
   * unavailable it waits, and so do all later events, so that their order holds.
   *
   * @param along written in the same atomic step where that is possible
   * @returns whether `along` was written; if not, the caller writes it next
   * @throws TypeError when the event has no id, or a too long one
   * @throws Unavailable when the appender is closed before that
   */
  append(event: NewEvent, along?: WritesAlong): Promise<boolean>;
  /** Waits for the running commit, and begins no other. */
  close(): Promise<void>;
}

/** One call of `FeedAppender.append`. */
interface Append {
  readonly event: StoredEvent;
  readonly along: WritesAlong | undefined;
}

/**
 * Creates the appender of a process.
 *
 * @param appended called when the feed has new events
 */
export function createFeedAppender(deps: FeedDeps, report: Report, appended: () => void): FeedAppender {
  const closing = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let head: FeedHead | undefined;
  const appendAll = async (appends: readonly Append[]): Promise<boolean> => {
    const batch = appends.map(({ event }) => event);
    const along = appends.flatMap((each) => each.along ?? []);
    for (let failures = 0; ; failures++) {
      closing.signal.throwIfAborted();
      try {
        const done = await appendBatch(deps, batch, head && { head, along });
        head = done.head;
        if (done.isNew) appended();
        return done.wroteAlong;
      } catch (error) {
        if (!isPassing(error)) throw error;
        report('events were not appended to the feed yet', { error });
        await pauseUntil(closing.signal, PAUSES_MS[failures] ?? LONGEST_PAUSE_MS);
      }
    }
  };
  const append = coalesceCalls((appends: readonly Append[]) => {
    const outcome = appendAll(appends);
    running = outcome.catch(() => {});
    return outcome;
  }, BATCH);
  return {
    async append(event, along) {
      // An invalid event fails here, and not with the others of its group.
      return append({ event: storedEvent(event, deps.clock.now()), along });
    },
    async close() {
      closing.abort(new Unavailable('The feed is closed'));
      await running;
    },
  };
}

/** Whether another attempt can succeed: the store is unavailable, or other processes were quicker for long. */
function isPassing(error: unknown): boolean {
  return error instanceof Unavailable || (error instanceof Conflict && error.index === 'version');
}
