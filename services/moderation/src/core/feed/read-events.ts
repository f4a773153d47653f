import { positionGone } from '@steward/errors';
import type { Filter } from '@steward/store';
import type { StoredEvent } from '../model/feed-event.ts';
import type { FeedHead } from '../model/feed-head.ts';
import { type EventFilter, selects } from './event-filter.ts';
import type { FeedDeps } from './feed-deps.ts';
import { type FeedEvent, feedEvent } from './feed-event.ts';
import { loadHead } from './feed-head-aggregate.ts';

/** How many events one read examines at most besides those that it returns. */
const MOST_EXAMINED = 1_000;

/** A part of the feed. */
export interface FeedPage {
  /** In the order of their positions. */
  readonly events: readonly FeedEvent[];
  /** The position up to which the page goes; the next one begins after it. */
  readonly next: number;
  /** The last position of the feed. The page reaches the end if `next` equals it. */
  readonly latest: number;
}

/** What is read of the feed. */
export interface ReadOptions extends EventFilter {
  /** The position after which the page begins; undefined for the oldest event that the feed still has. */
  readonly after?: number | undefined;
  /** The most events that are returned. */
  readonly limit: number;
}

/**
 * Reads the events after a position. No position is passed over: a page ends before the first one whose event is not stored
 * yet. When the filter matches few events, a page can have fewer than `limit`, or none, although further ones have some.
 *
 * @throws the refusal `positionGone` when the feed no longer has the event after `after`, or does not have `after` yet
 */
export async function readEvents(deps: FeedDeps, options: ReadOptions): Promise<FeedPage> {
  const { limit } = options;
  const head = await loadHead(deps);
  const after = startOf(head, options.after);
  await deps.flushPositions(head.last);
  if (limit === 0) return { events: [], next: after, latest: head.last };
  const { filter, isExact } = indexed(options);
  const most = isExact ? limit : limit + MOST_EXAMINED;
  const found = await deps.feedEvents
    .find({ ...filter, position: { $gt: after, $lte: head.last } }, { sort: { position: 1 }, limit: most })
    .toArray();
  // What retention removed during the read would look like events that do not match, unless none is missing.
  const isWhole = found.at(-1)?.position === after + found.length;
  if (options.after !== undefined && !isWhole) startOf(await loadHead(deps), after);
  const events: FeedEvent[] = [];
  let examined = after;
  for (const stored of found) {
    const event = feedEvent(stored);
    examined = event.position;
    if (selects(options, event)) events.push(event);
    if (events.length === limit) break;
  }
  const isAll = found.length < most && events.length < limit;
  return { events, next: isAll ? head.last : examined, latest: head.last };
}

/** The last position of the feed. */
export async function lastPosition(deps: FeedDeps): Promise<number> {
  return beginAfter(deps, undefined);
}

/**
 * The position after which a reader begins.
 *
 * @param after undefined for what is appended from now on
 * @throws the refusal `positionGone` when the feed no longer has the event after `after`, or does not have `after` yet
 */
export async function beginAfter(deps: FeedDeps, after: number | undefined): Promise<number> {
  const head = await loadHead(deps);
  const start = startOf(head, after ?? head.last);
  await deps.flushPositions(head.last);
  return start;
}

/** @throws the refusal `positionGone` */
function startOf({ cut, last }: FeedHead, after = cut): number {
  if (after < cut) throw positionGone(`The events up to position ${cut} are past their retention`, cut, last);
  if (after > last) throw positionGone(`The last position of the feed is ${last}`, cut, last);
  return after;
}

/** The condition for which there is an index, and whether it is all of the filter. */
function indexed({ types, target, actor, rights }: EventFilter): {
  readonly filter: Filter<StoredEvent>;
  readonly isExact: boolean;
} {
  const { admin, scopes = [] } = rights;
  const isOnly = (...others: readonly unknown[]) => admin && others.every((other) => other === undefined);
  if (target !== undefined) return { filter: { targets: target }, isExact: isOnly(actor, types) };
  if (actor !== undefined) return { filter: { actor }, isExact: isOnly(types) };
  if (types) return { filter: { type: { $in: [...types] } }, isExact: admin };
  return { filter: admin ? {} : { scope: { $in: scopes } }, isExact: true };
}
