import { create } from '@bufbuild/protobuf';
import { type Event, EventSchema } from '@steward/proto/steward/feed/v1/event_pb.ts';
import type { FeedEvent } from './feed-event.ts';

/** The message of an event. */
export function toEvent(event: FeedEvent): Event {
  const { id, position, type, time, actor, requestId, taskId, targets, data } = event;
  return create(EventSchema, {
    id,
    position: BigInt(position),
    type,
    time: BigInt(time),
    ...(actor === null ? {} : { actor }),
    ...(requestId === null ? {} : { requestId }),
    ...(taskId === null ? {} : { taskId }),
    targets: [...targets],
    data,
  });
}
