import { coalesceCalls } from '@steward/kernel';
import { FEED_ID } from '../model/feed-head.ts';
import type { FeedDeps } from './feed-deps.ts';

/** How many readers share one flush at most. */
const MOST_READERS = 1_000;

/**
 * Creates the function that makes the positions up to one durable, which readers await: commits of the feed do not wait for the
 * disk, and a reader must not know a position that a power failure loses, because another event would get it. It has nothing
 * to do on engines whose writes are durable one by one.
 */
export function createFlush({
  capabilities,
  feedHeads,
}: Pick<FeedDeps, 'capabilities' | 'feedHeads'>): (last: number) => Promise<void> {
  if (!capabilities.insertsAlongCommit) return async () => {};
  let durable = 0;
  const flush = coalesceCalls(async (positions: readonly number[]) => {
    const last = Math.max(...positions);
    if (last <= durable) return;
    // A durable write makes all earlier ones durable, too.
    await feedHeads.unversioned.updateOne({ _id: FEED_ID }, { $inc: { flushes: 1 } });
    durable = last;
  }, MOST_READERS);
  return async (last) => {
    if (last > durable) await flush(last);
  };
}
