import type { FeedAppender } from './feed-appender.ts';
import type { NewEvent } from './feed-event.ts';

/**
 * Appends events to the feed, in their order; those whose ids it has are left out. Resolves when they are stored with their
 * positions.
 *
 * @throws what `FeedAppender.append` throws
 */
export async function appendEvents(
  { feedAppender }: { readonly feedAppender: FeedAppender },
  events: readonly NewEvent[],
): Promise<void> {
  await Promise.all(events.map((event) => feedAppender.append(event)));
}
