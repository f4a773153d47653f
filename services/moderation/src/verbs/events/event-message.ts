import type { Event } from '@steward/proto/steward/feed/v1/event_pb.ts';
import type { FeedEvent } from '../../core/feed/feed-event.ts';
import { toEvent } from '../../core/feed/to-event.ts';

/** The messages of recent events, which all that follow the feed share. */
const messages = new WeakMap<FeedEvent, Event>();

/** The message of an event: the same object for the same event, so that a gateway in this process writes it as JSON once. */
export function eventMessage(event: FeedEvent): Event {
  const known = messages.get(event);
  if (known) return known;
  const message = toEvent(event);
  messages.set(event, message);
  return message;
}
