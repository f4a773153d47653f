import type { Report } from '@steward/events';
import { createNotifier, type Notifier } from '@steward/kernel';
import { EVERYTHING, type EventFilter, selects } from './event-filter.ts';
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

/** The same for what a filter selects: a page is in memory for each reader that stopped reading. */
const SELECTED_PAGE = 100;

/** After how many positions without a selected event a reader receives its position. */
const SILENT_POSITIONS = 100;

/** What a reader receives at a time. */
export interface FollowedPage {
  /** In the order of their positions. */
  readonly events: readonly FeedEvent[];
  /** The position that the reader has reached: no event up to it is missing. */
  readonly position: number;
}

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
  /**
   * As `follow`, the events that a filter selects; at most 100 at a time. Where few match, pages without events say the position
   * from time to time. What is older than the recent events is read with the index of the filter.
   *
   * @throws as `follow`
   */
  followSelected(filter: EventFilter, after: number, signal: AbortSignal): AsyncIterable<FollowedPage>;
  /** Says that the feed may have new events. */
  notify(): void;
  /** Ends all that follow. */
  close(): void;
}

/** Creates the tail of a process. It reads while something follows. */
export function createFeedTail(deps: FeedDeps, report: Report): FeedTail {
  const closing = new AbortController();
  /** The notifiers of the readers that follow the feed. */
  const notifiers = new Set<Notifier>();
  /** The last events that were read, without gaps, up to the position `end`. */
  let recent: FeedEvent[] = [];
  let end: number | undefined;
  let isReading = false;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;

  const announce = () => {
    for (const notifier of notifiers) notifier.notify();
  };
  const readOn = async () => {
    while (isDue && notifiers.size > 0 && !closing.signal.aborted) {
      isDue = false;
      if (end === undefined) {
        end = await lastPosition(deps);
        // Events up to it may have been appended after a reader had found none.
        announce();
      }
      const { events, next, latest } = await readEvents(deps, { ...EVERYTHING, after: end, limit: PAGE });
      if (next === end) continue;
      end = next;
      recent = [...recent, ...events].slice(-RECENT);
      isDue ||= next < latest;
      announce();
    }
  };
  const notify = async () => {
    isDue = true;
    if (isReading) return;
    isReading = true;
    try {
      await readOn();
    } catch (error) {
      // It begins again at the end. A reader that is behind is served from the store.
      recent = [];
      end = undefined;
      // A read in progress fails when the store is closed.
      if (!closing.signal.aborted) report('the end of the feed was not read', { error });
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
  const enter = (notifier: Notifier) => {
    notifiers.add(notifier);
    timer ??= setInterval(notify, POLL_MS).unref();
    void notify();
  };
  const leave = (notifier: Notifier) => {
    if (notifiers.delete(notifier) && notifiers.size === 0) forget();
  };
  /** The events after a position from memory; undefined when it does not have the next one. */
  const recentAfter = (after: number): readonly FeedEvent[] | undefined => {
    const missing = (end ?? -1) - after;
    if (missing < 0 || missing > recent.length) return undefined;
    const start = recent.length - missing;
    return recent.slice(start, start + PAGE);
  };
  /** The next part of what a filter selects: from memory if it has it, else from the store. */
  const nextPage = async (filter: EventFilter, after: number, limit: number): Promise<FollowedPage> => {
    const inMemory = recentAfter(after);
    if (!inMemory) {
      const { events, next } = await readEvents(deps, { ...filter, after, limit });
      return { events, position: next };
    }
    const events: FeedEvent[] = [];
    let position = after;
    for (const event of inMemory) {
      ({ position } = event);
      if (selects(filter, event)) events.push(event);
      if (events.length === limit) break;
    }
    return { events, position };
  };
  /** Follows until `signal` aborts. */
  async function* pages(
    filter: EventFilter,
    after: number | undefined,
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<FollowedPage> {
    if (signal.aborted) return;
    const notifier = createNotifier();
    const stop = () => {
      leave(notifier);
      notifier.notify();
    };
    enter(notifier);
    // A reader may stop without asking for more, and then nothing ends this generator.
    signal.addEventListener('abort', stop, { once: true });
    try {
      let position = after ?? (await lastPosition(deps));
      let passedOn = position;
      while (!signal.aborted) {
        const seen = notifier.count();
        const page = await nextPage(filter, position, limit);
        if (signal.aborted) return;
        const isMoved = page.position > position;
        position = page.position;
        if (page.events.length > 0 || position - passedOn >= SILENT_POSITIONS) {
          passedOn = position;
          yield page;
        }
        if (!isMoved) await notifier.wait(seen);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }
  return {
    async *follow(after, ended) {
      const signal = AbortSignal.any([ended, closing.signal]);
      for await (const { events } of pages(EVERYTHING, after, PAGE, signal))
        if (events.length > 0) yield events;
    },
    followSelected: (filter, after, ended) =>
      pages(filter, after, SELECTED_PAGE, AbortSignal.any([ended, closing.signal])),
    notify: () => void notify(),
    close: () => closing.abort(),
  };
}
