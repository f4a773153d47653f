import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type {
  ListEventsRequest,
  ListEventsResponseSchema,
} from '@steward/proto/steward/moderation/v1/events_pb.ts';
import { requester } from '@steward/rpc';
import type { FeedDeps } from '../../core/feed/feed-deps.ts';
import { readEvents } from '../../core/feed/read-events.ts';
import { eventMessage } from './event-message.ts';
import { filterOf } from './filter-of.ts';

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
  return { events: events.map(eventMessage), nextAfter: BigInt(next), latest: BigInt(latest) };
}
