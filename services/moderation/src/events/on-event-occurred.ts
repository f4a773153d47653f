import type { EventOccurred } from '@steward/proto/steward/event/v1/feed_pb.ts';
import type { Deps } from '../core/deps.ts';
import { appendEvents } from '../core/feed/append-events.ts';
import { eventId } from '../core/feed/feed-event.ts';

/** Appends the event of which a fact informs to the feed. */
export function onEventOccurred(deps: Pick<Deps, 'feedAppender'>, fact: EventOccurred): Promise<void> {
  const event = {
    id: eventId(fact.id),
    type: fact.type,
    time: Number(fact.timeMs),
    actor: fact.actor || null,
    requestId: fact.requestId || null,
    taskId: fact.taskId || null,
    targets: fact.targets,
    data: fact.dataJson || '{}',
  };
  return appendEvents(deps, [event]);
}
