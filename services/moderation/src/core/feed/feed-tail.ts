import type { Report } from '@steward/events';
import type { FeedDeps } from './feed-deps.ts';
import type { FeedEvent } from './feed-event.ts';
import { lastPosition, readEvents } from './read-events.ts';

/** The topic of the bus on which processes say that the feed has new events. */
export const FEED_TOPIC = 'feed';

/** How often the end of the feed is read without being woken, because a notification may be lost; in milliseconds. */
const POLL_MS = 1_000;

/** The number of recent events in memory, from which all who follow are served. */
const RECENT = 2_000;

/** The most events that are read or passed on at a time. */
const PAGE = 500;

/** Those who follow select what they need of all events. */
const EVERYTHING = { rights: { admin: true } } as const;

/** The end of the feed, read once for all in the process who follow it. */
export interface FeedTail {
  /**
   * The events after a position, in their order and without gaps, and then those that are appended; at most 500 at a time.
   * It keeps none for a slow reader, which is served from the store when it asks for more. Ends when `signal` aborts or the
   * tail is closed.
   *
   * @param after undefined for what is appended from now on
   * @throws the refusal `positionGone` when the feed no longer has the event after `after`, or does not have `after` yet
   * @throws Unavailable
   */
  follow(after: number | undefined, signal: AbortSignal): AsyncIterable<readonly FeedEvent[]>;
  /** Says that the feed may have new events. */
  wake(): void;
  /** Ends all that follow. */
  close(): void;
}

/** Creates the tail of a process. It reads while something follows. */
export function createFeedTail(deps: FeedDeps, report: Report): FeedTail {
  const closing = new AbortController();
  /** The functions that let those who follow look again. */
  const waiters = new Set<() => void>();
  /** The last events that were read, without gaps, up to the position `end`. */
  let recent: FeedEvent[] = [];
  let end: number | undefined;
  /** How often there was something new. */
  let changes = 0;
  let followers = 0;
  let isReading = false;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;

  const readOn = async () => {
    while (isDue && followers > 0) {
      isDue = false;
      end ??= await lastPosition(deps);
      const { events, next, latest } = await readEvents(deps, { ...EVERYTHING, after: end, limit: PAGE });
      if (next === end) continue;
      end = next;
      recent = [...recent, ...events].slice(-RECENT);
      isDue ||= next < latest;
      changes++;
      for (const resume of waiters) resume();
      waiters.clear();
    }
  };
  const wake = async () => {
    isDue = true;
    if (isReading) return;
    isReading = true;
    try {
      await readOn();
    } catch (error) {
      // It begins again at the end. Whoever is behind reads from the store.
      recent = [];
      end = undefined;
      report('the end of the feed was not read', { error });
    } finally {
      isReading = false;
    }
  };
  const forget = () => {
    clearInterval(timer);
    timer = undefined;
    recent = [];
    end = undefined;
  };
  /** The events after a position from memory; undefined when it does not have the next one. */
  const recentAfter = (after: number): readonly FeedEvent[] | undefined => {
    const missing = (end ?? -1) - after;
    if (missing < 0 || missing > recent.length) return undefined;
    const start = recent.length - missing;
    return recent.slice(start, start + PAGE);
  };
  return {
    async *follow(after, ended) {
      const signal = AbortSignal.any([ended, closing.signal]);
      let resume = () => {};
      signal.addEventListener('abort', () => resume(), { once: true });
      followers++;
      timer ??= setInterval(wake, POLL_MS).unref();
      try {
        void wake();
        let position = after ?? (await lastPosition(deps));
        while (!signal.aborted) {
          const seen = changes;
          const page =
            recentAfter(position) ??
            (await readEvents(deps, { ...EVERYTHING, after: position, limit: PAGE })).events;
          if (signal.aborted) return;
          if (page.length > 0) {
            yield page;
            position = page.at(-1)?.position ?? position;
            continue;
          }
          await new Promise<void>((resolve) => {
            resume = resolve;
            if (seen === changes) waiters.add(resolve);
            else resolve();
          });
          waiters.delete(resume);
        }
      } finally {
        followers--;
        if (followers === 0) forget();
      }
    },
    wake: () => void wake(),
    close: () => closing.abort(),
  };
}
