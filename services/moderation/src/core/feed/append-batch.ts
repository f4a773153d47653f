import { Conflict, NOT_FLUSHED, retryOnConflict, type UpdateById } from '@steward/store';
import type { StoredEvent } from '../model/feed-event.ts';
import type { FeedDeps } from './feed-deps.ts';
import { feedHeadAggregate, loadHead } from './feed-head-aggregate.ts';

/** The most events in one commit: fewer than the effects that may be pending. */
export const BATCH = 60;

/**
 * Gives events the next positions of the feed, in their order, in one commit. Events whose ids the feed has are left out.
 * Several processes may do so concurrently: the one that commits second decides again.
 *
 * Where the engine can, the events are inserted along with the commit. Otherwise they are stored first without a position,
 * which readers ignore, and get it as pending effects of the commit.
 *
 * @param events at most `BATCH`
 * @returns whether the feed has events that it did not have
 */
export async function appendBatch(deps: FeedDeps, events: readonly StoredEvent[]): Promise<boolean> {
  const unique = [...new Map(events.map((event) => [event._id, event])).values()];
  if (!deps.capabilities.insertsAlongCommit) await stage(deps, unique);
  return retryOnConflict(async () => {
    const head = await loadHead(deps);
    const added = await withoutPosition(deps, unique);
    if (added.length === 0) return false;
    const numbered = added.map((event, index) => ({ ...event, position: head.last + 1 + index }));
    const change = { set: { last: head.last + added.length } };
    if (deps.capabilities.insertsAlongCommit) {
      const along = [deps.feedEvents.alteration(numbered.map(upsertOf))];
      await feedHeadAggregate.commit(deps, head, change, [], { ...NOT_FLUSHED, along });
      return true;
    }
    const effects = numbered.map(({ _id: event, position }) => ({
      kind: 'position' as const,
      event,
      position,
    }));
    const committed = await feedHeadAggregate.commit(deps, head, change, effects, NOT_FLUSHED);
    await feedHeadAggregate.applyPending(deps, committed);
    return true;
  }, deps);
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
