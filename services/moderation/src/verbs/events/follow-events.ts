import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type {
  FollowEventsRequest,
  FollowEventsResponseSchema,
} from '@steward/proto/steward/moderation/v1/events_pb.ts';
import { clientOf, headers, markLogged, requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { beginAfter } from '../../core/feed/read-events.ts';
import { eventMessage } from './event-message.ts';
import { filterOf } from './filter-of.ts';

/**
 * How long a stream of a client of services lasts, in milliseconds. Its credential is in files of each process, so it can be
 * checked at the beginning of a call only.
 */
const CLIENT_STREAM_MS = 60_000;

/**
 * Streams the feed: first the position after which it begins, then the events. It ends when the caller leaves, when their
 * credential ends or carries other rights, and when the process is about to end.
 *
 * @throws refuse.unavailable when the process is about to end
 * @throws the refusal `positionGone`, also later, when retention passes a slow reader
 */
export async function* followEvents(
  deps: Deps,
  request: FollowEventsRequest,
  context: HandlerContext,
): AsyncGenerator<MessageInitShape<typeof FollowEventsResponseSchema>> {
  // No fault, so it is not logged as one.
  if (deps.draining.aborted) throw markLogged(refuse.unavailable('The server is stopping'));
  const rights = requester(context);
  const filter = { ...filterOf(request), rights };
  const after = request.lastEventId ?? request.after;
  const start = await beginAfter(deps, after === undefined ? undefined : Number(after));
  yield { position: BigInt(start) };
  const token = context.requestHeader.get(headers.accessToken);
  const credential = {
    token: decodeURIComponent(token ?? ''),
    client: clientOf(context.requestHeader),
    rights,
  };
  const ended =
    rights.kind === 'client'
      ? AbortSignal.timeout(CLIENT_STREAM_MS)
      : deps.credentialWatch.watch(credential, context.signal);
  const signal = AbortSignal.any([context.signal, deps.draining, ended]);
  for await (const { events, position } of deps.feedTail.followSelected(filter, start, signal))
    yield { position: BigInt(position), events: events.map(eventMessage) };
}
