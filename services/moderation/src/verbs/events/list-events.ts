import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { targetText } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { EventSchema } from '@steward/proto/steward/feed/v1/event_pb.ts';
import type {
  ListEventsRequest,
  ListEventsResponseSchema,
} from '@steward/proto/steward/moderation/v1/events_pb.ts';
import { requester } from '@steward/rpc';
import { typesMatching } from '../../core/feed/event-filter.ts';
import type { FeedDeps } from '../../core/feed/feed-deps.ts';
import type { FeedEvent } from '../../core/feed/feed-event.ts';
import { readEvents } from '../../core/feed/read-events.ts';

/** The default number of events on a page. */
const DEFAULT_LIMIT = 100n;

/** The maximum number of events on a page; an event has at most about 6 KiB, unless it has very many targets. */
const MAX_LIMIT = 1_000n;

/** Returns a page of the feed, the oldest events first. */
export async function listEvents(
  deps: FeedDeps,
  request: ListEventsRequest,
  context: HandlerContext,
): Promise<MessageInitShape<typeof ListEventsResponseSchema>> {
  const { after, limit = DEFAULT_LIMIT } = request;
  const { events, next, latest } = await readEvents(deps, {
    ...filterOf(request),
    rights: requester(context),
    after: after === undefined ? undefined : Number(after),
    limit: Number(limit < MAX_LIMIT ? limit : MAX_LIMIT),
  });
  return { events: events.map(toAnswer), nextAfter: BigInt(next), latest: BigInt(latest) };
}

/** @throws refuse.invalidParam for a type that no event has */
function filterOf({ type, target, actor }: ListEventsRequest) {
  return {
    ...(type.length === 0 ? {} : { types: new Set(type.flatMap(typesOf)) }),
    ...(target === undefined ? {} : { target: targetText(target) }),
    ...(actor === undefined ? {} : { actor: targetText(actor) }),
  };
}

function typesOf(pattern: string): readonly string[] {
  const types = typesMatching(pattern);
  if (types.length === 0) throw refuse.invalidParam(`No event is of the type ${pattern}`);
  return types;
}

function toAnswer(event: FeedEvent): MessageInitShape<typeof EventSchema> {
  const { id, position, type, time, actor, requestId, taskId, targets, data } = event;
  return {
    id,
    position: BigInt(position),
    type,
    time: BigInt(time),
    ...(actor === null ? {} : { actor }),
    ...(requestId === null ? {} : { requestId }),
    ...(taskId === null ? {} : { taskId }),
    targets: [...targets],
    data,
  };
}
