import type { FeedDeps } from './feed-deps.ts';
import { loadHead } from './feed-head-aggregate.ts';

/** How much the clocks of processes may differ, in milliseconds. */
const CLOCK_DIFFERENCE_MS = 60_000;

/**
 * A position before all events of a time and later ones, in milliseconds since the Unix epoch, found in few reads. Events are
 * stored after their time, and about in the order of their positions.
 */
export async function positionBefore(deps: FeedDeps, timeMs: number): Promise<number> {
  const { cut, last } = await loadHead(deps);
  let before = cut;
  let from = last;
  while (before < from) {
    const middle = Math.floor((before + from + 1) / 2);
    const event = await deps.feedEvents.findOne({ position: middle }, { projection: { stored_ts: 1 } });
    // An event that is missing was removed since.
    if (!event || event.stored_ts < timeMs - CLOCK_DIFFERENCE_MS) before = middle;
    else from = middle - 1;
  }
  return before;
}
