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
  /** Written in the same atomic step if the feed still has that end, all events are new, and none of it conflicts. */
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
  const unique = [...new Map(events.map((event) => [event._id, event])).values()];
  if (deps.capabilities.insertsAlongCommit) {
    const head = expected && (await appendExpected(deps, expected, unique));
    if (head) return { head, isNew: true, wroteAlong: true };
  } else {
    await stage(deps, unique);
  }
  return retryOnConflict(async () => {
    const head = await loadHead(deps);
    const added = await withoutPosition(deps, unique);
    if (added.length === 0) return { head, isNew: false, wroteAlong: false };
    const { numbered, change } = numberedBehind(head, added);
    if (deps.capabilities.insertsAlongCommit) {
      const along = [deps.feedEvents.alteration(numbered.map(upsertOf))];
      const committed = await feedHeadAggregate.commit(deps, head, change, [], { ...NOT_FLUSHED, along });
      return { head: committed, isNew: true, wroteAlong: false };
    }
    const effects = numbered.map(({ _id: event, position }) => ({
      kind: 'position' as const,
      event,
      position,
    }));
    const committed = await feedHeadAggregate.commit(deps, head, change, effects, NOT_FLUSHED);
    const applied = await feedHeadAggregate.applyPending(deps, committed);
    return { head: applied, isNew: true, wroteAlong: false };
  }, deps);
}

/**
 * Appends events without looking whether the feed has them.
 *
 * @returns the end of the feed after it; undefined if something was not as expected, and then nothing was changed
 */
async function appendExpected(
  deps: FeedDeps,
  { head, along }: Expected,
  events: readonly StoredEvent[],
): Promise<FeedHead | undefined> {
  const { numbered, change } = numberedBehind(head, events);
  const writes = [deps.feedEvents.insertion(numbered), ...along];
  try {
    return await feedHeadAggregate.commit(deps, head, change, [], { ...NOT_FLUSHED, along: writes });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return undefined;
  }
}

/** Events with the positions behind the end of the feed, and the change of that end. */
function numberedBehind({ last }: FeedHead, events: readonly StoredEvent[]) {
  return {
    numbered: events.map((event, index) => ({ ...event, position: last + 1 + index })),
    change: { set: { last: last + events.length } },
  };
}

/** Stores an event with its position, also if it is stored without one. */
function upsertOf({ _id, ...fields }: StoredEvent): UpdateById<StoredEvent> {
  return { filter: { _id }, update: { $set: fields }, upsert: true };
}

/** Stores events without a position, unless they are stored already. */
async function stage({ feedEvents }: FeedDeps, events: readonly StoredEvent[]): Promise<void> {
  try {
    await feedEvents.insertMany(events, { ...NOT_FLUSHED, ordered: false });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}

/** Those of the events that have no position yet. */
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
