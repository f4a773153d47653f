import type { HandlerContext } from '@connectrpc/connect';
import { refuse } from '@steward/errors';
import type { FindEventByTimeRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import type { Deps } from '../../core/deps.ts';
import { eventsByTime } from '../../core/timeline/events-by-time.ts';
import { readAccess } from '../../core/visibility/read-access.ts';
import { visibleEvents } from '../../core/visibility/visible-events.ts';

/** The number of events nearest to the time among which the first visible one is searched. */
const CANDIDATES = 100;

/** Finds the visible event that is nearest to a time (client-plane.md 12). */
export async function findEventByTime(deps: Deps, request: FindEventByTimeRequest, context: HandlerContext) {
  const caller = requester(context);
  const access = await readAccess(deps, request.roomId, caller.userId);
  const candidates = await eventsByTime(
    deps,
    {
      roomId: access.roomId,
      until: access.arrival,
      ts: Number(request.ts ?? 0n),
      direction: request.dir === 'b' ? 'b' : 'f',
    },
    CANDIDATES,
  );
  const [nearest] = await visibleEvents(deps, candidates, access, caller.userId);
  if (!nearest) throw refuse.notFound('No event was found in that direction');
  const { _id, origin_server_ts } = nearest.document;
  return { eventId: _id, originServerTs: BigInt(origin_server_ts) };
}
