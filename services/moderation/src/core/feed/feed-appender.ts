import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '@steward/events';
import { inGroups } from '@steward/kernel';
import { Conflict, Unavailable } from '@steward/store';
import { appendBatch, BATCH } from './append-batch.ts';
import type { FeedDeps } from './feed-deps.ts';
import { type NewEvent, storedEvent } from './feed-event.ts';

/** The pauses after the first, second, ... failure to store, in milliseconds; the last is used for all further ones. */
const PAUSES_MS = [50, 200, 500, 1_000, 2_000] as const;

/** Appends events to the feed in the order of its calls; events of concurrent calls share a commit. */
export interface FeedAppender {
  /**
   * Appends an event, unless the feed has one with its id. Resolves when it is stored with its position. While the store is
   * unavailable it waits, and so do all later events, so that their order holds.
   *
   * @throws TypeError when the event has no id, or a too long one
   * @throws Unavailable when the appender is closed before that
   */
  append(event: NewEvent): Promise<void>;
  /** Waits for the running commit, and begins no other. */
  close(): Promise<void>;
}

/**
 * Creates the appender of a process.
 *
 * @param appended called when the feed has new events
 */
export function createFeedAppender(deps: FeedDeps, report: Report, appended: () => void): FeedAppender {
  const closing = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const appendAll = async (events: readonly NewEvent[]) => {
    const batch = events.map((event) => storedEvent(event, deps.clock.now()));
    for (let failures = 0; ; failures++) {
      closing.signal.throwIfAborted();
      try {
        if (await appendBatch(deps, batch)) appended();
        return;
      } catch (error) {
        if (!isPassing(error)) throw error;
        report('events were not appended to the feed yet', { error });
        await sleep(PAUSES_MS[failures] ?? PAUSES_MS.at(-1), undefined, { signal: closing.signal });
      }
    }
  };
  const append = inGroups((events: readonly NewEvent[]) => {
    const outcome = appendAll(events);
    running = outcome.catch(() => {});
    return outcome;
  }, BATCH);
  return {
    async append(event) {
      // Checked alone, so that it does not fail the others of its group.
      storedEvent(event, 0);
      await append(event);
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
