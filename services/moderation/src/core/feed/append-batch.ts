import { Conflict, NOT_FLUSHED, retryOnConflict, type UpdateById, type WritesAlong } from '@steward/store';
import type { StoredEvent } from '../model/feed-event.ts';
import type { FeedHead } from '../model/feed-head.ts';
import type { FeedDeps } from './feed-deps.ts';
import { feedHeadAggregate, loadHead } from './feed-head-aggregate.ts';

/** The most events in one commit: fewer than the effects that may be pending. */
export const BATCH = 60;

/** What `appendBatch` did. */
export interface Appended {
  /** The end of the feed after it. */
  readonly head: FeedHead;
  /** Whether the feed has events that it did not have. */
  readonly isNew: boolean;
  /** Whether what was to be written along was written. */
  readonly wroteAlong: boolean;
}

/** What the caller of `appendBatch` expects, which saves reads and commits if it is so. */
export interface Expected {
  /** The end of the feed, as this process saw it last. */
  readonly head: FeedHead;
  /** Written in the same atomic step if the engine can, the feed still has that end, all events are new, and none of it conflicts. */
  readonly along: readonly WritesAlong[];
}

/**
 * Gives events the next positions of the feed, in their order, in one commit. Events whose ids the feed has are left out.
 * Several processes may do so concurrently: the one that commits second decides again.
 *
 * Where the engine can, the events are inserted along with the commit. Otherwise they are stored first without a position,
 * which readers ignore, and get it as pending effects of the commit.
 *
 * @param events at most `BATCH`
 * @param expected undefined if the caller expects nothing
 */
export async function appendBatch(
  deps: FeedDeps,
  events: readonly StoredEvent[],
  expected?: Expected,
): Promise<Appended> {
  const { insertsAlongCommit } = deps.capabilities;
  const unique = [...new Map(events.map((event) => [event._id, event])).values()];
  const mayBeNew = insertsAlongCommit || (await stage(deps, unique));
  const head = expected && mayBeNew ? await appendExpected(deps, expected, unique) : undefined;
  if (head) return { head, isNew: true, wroteAlong: insertsAlongCommit };
  return retryOnConflict(async () => {
    const end = await loadHead(deps);
    const added = await withoutPosition(deps, unique);
    if (added.length === 0) return { head: end, isNew: false, wroteAlong: false };
    const upserts = (numbered: readonly StoredEvent[]) => [
      deps.feedEvents.alteration(numbered.map(upsertOf)),
    ];
    return { head: await commitBehind(deps, end, added, upserts), isNew: true, wroteAlong: false };
  }, deps);
}

/**
 * Appends events without reading the end of the feed, and without looking whether it has them.
 *
 * @returns the end of the feed after it; undefined if something was not as expected: then read both
 */
async function appendExpected(
  deps: FeedDeps,
  { head, along }: Expected,
  events: readonly StoredEvent[],
): Promise<FeedHead | undefined> {
  const insertions = (numbered: readonly StoredEvent[]) => [deps.feedEvents.insertion(numbered), ...along];
  try {
    return await commitBehind(deps, head, events, insertions);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return undefined;
  }
}

/**
 * Gives events the positions behind an end of the feed.
 *
 * @param writes what is written along with the commit, where the engine can: the numbered events, and more
 * @returns the end of the feed after it
 * @throws Conflict when the feed no longer has that end, or a write along conflicts
 */
async function commitBehind(
  deps: FeedDeps,
  head: FeedHead,
  events: readonly StoredEvent[],
  writes: (numbered: readonly StoredEvent[]) => readonly WritesAlong[],
): Promise<FeedHead> {
  const change = { set: { last: head.last + events.length } };
  const numbered = events.map((event, index) => ({ ...event, position: head.last + 1 + index }));
  if (deps.capabilities.insertsAlongCommit)
    return feedHeadAggregate.commit(deps, head, change, [], { ...NOT_FLUSHED, along: writes(numbered) });
  const effects = numbered.map(({ _id: event, position }) => ({
    kind: 'position' as const,
    event,
    position,
  }));
  const committed = await feedHeadAggregate.commit(deps, head, change, effects, NOT_FLUSHED);
  return feedHeadAggregate.applyPending(deps, committed);
}

/** Stores an event with its position, also if it is stored without one. */
function upsertOf({ _id, ...fields }: StoredEvent): UpdateById<StoredEvent> {
  return { filter: { _id }, update: { $set: fields }, upsert: true };
}

/** Stores events without a position, unless they are stored already; returns whether none of them was. */
async function stage({ feedEvents }: FeedDeps, events: readonly StoredEvent[]): Promise<boolean> {
  try {
    await feedEvents.insertMany(events, { ...NOT_FLUSHED, ordered: false });
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return false;
  }
}

/** The events that have no position yet. */
async function withoutPosition(
  { feedEvents }: FeedDeps,
  events: readonly StoredEvent[],
): Promise<readonly StoredEvent[]> {
  const ids = events.map(({ _id }) => _id);
  const stored = await feedEvents
    .find({ _id: { $in: ids }, position: { $gt: 0 } }, { projection: { position: 1 } })
    .toArray();
  const known = new Set(stored.map(({ _id }) => _id));
  return events.filter(({ _id }) => !known.has(_id));
}
