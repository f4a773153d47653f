import { type Meters, remembered } from '@steward/telemetry';
import type { FeedDeps } from './feed/feed-deps.ts';
import { loadHead } from './feed/feed-head-aggregate.ts';
import { publishedUpTo } from './feed/feed-publisher.ts';

/**
 * Adds the length of the feed, and how far publishing is behind, to the metrics.
 *
 * @param isPublished whether there is a broker
 */
export function meterFeed(deps: FeedDeps, meters: Pick<Meters, 'gauge'>, isPublished: boolean): void {
  const read = remembered(async () => {
    const published = isPublished ? await publishedUpTo(deps) : undefined;
    const { last, cut } = await loadHead(deps);
    return { last, unpublished: published === undefined ? 0 : Math.max(0, last - Math.max(published, cut)) };
  });
  meters.gauge('steward_feed_position').from(async () => [{ labels: {}, value: (await read()).last }]);
  meters
    .gauge('steward_feed_unpublished_events')
    .from(async () => [{ labels: {}, value: (await read()).unpublished }]);
}
