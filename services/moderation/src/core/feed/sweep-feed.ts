import { NOT_FLUSHED, removeInBatches } from '@steward/store';
import { FEED_ID } from '../model/feed-head.ts';
import { appendBatch, BATCH } from './append-batch.ts';
import type { FeedDeps } from './feed-deps.ts';
import { feedHeadAggregate, loadHead } from './feed-head-aggregate.ts';

/** The number of events in one removal. */
const REMOVED = 200;

/** How old an event without a position is when it counts as left by a crashed process, in milliseconds. */
const LEFT_MS = 60_000;

/**
 * Removes the events that are past their retention, oldest first, in batches, and gives positions to those that crashed
 * processes left without one. It is idempotent, also in several processes concurrently: the end of the feed states first from
 * where on events are kept, so that no reader takes a part of a removal for the feed.
 */
export async function sweepFeed(deps: FeedDeps & { readonly feedRetentionMs: number }): Promise<void> {
  await appendLeft(deps);
  // Also what an earlier sweep left when its process was killed.
  await removeUpTo(deps, (await loadHead(deps)).cut);
  for (;;) {
    const { cut } = await loadHead(deps);
    const end = await lastPast(deps, cut);
    if (end === cut) return;
    await feedHeadAggregate.change(
      deps,
      FEED_ID,
      (head) => (end > head.cut ? { set: { cut: end } } : undefined),
      NOT_FLUSHED,
    );
    await removeUpTo(deps, end);
  }
}

/** The last of the next positions after `cut` whose events are past their retention; `cut` for none. */
async function lastPast(
  { clock, feedEvents, feedRetentionMs }: FeedDeps & { readonly feedRetentionMs: number },
  cut: number,
): Promise<number> {
  const oldest = await feedEvents
    .find(
      { position: { $gt: cut } },
      { sort: { position: 1 }, limit: REMOVED, projection: { position: 1, stored_ts: 1 } },
    )
    .toArray();
  // Those before one that is past its retention are older, whatever the clock of their process said. A time that is to come says
  // nothing: also this clock can be wrong, and would remove the whole feed.
  const expired = oldest.findLast(({ stored_ts }) => clock.now() - stored_ts >= feedRetentionMs);
  return expired?.position ?? cut;
}

async function removeUpTo({ feedEvents }: FeedDeps, position: number): Promise<void> {
  await removeInBatches(
    feedEvents,
    { position: { $gt: 0, $lte: position } },
    { sort: { position: 1 }, size: REMOVED, options: NOT_FLUSHED },
  );
}

/** Gives positions to events that were stored without one, which nothing would deliver again. */
async function appendLeft(deps: FeedDeps): Promise<void> {
  const left = await deps.feedEvents
    .find(
      { position: null, stored_ts: { $lt: deps.clock.now() - LEFT_MS } },
      { sort: { stored_ts: 1 }, limit: BATCH },
    )
    .toArray();
  if (left.length > 0) await appendBatch(deps, left);
}
