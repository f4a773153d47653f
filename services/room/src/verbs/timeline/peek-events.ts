import type { HandlerContext } from '@connectrpc/connect';
import type { PeekEventsRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import { readTokenInRoom } from '../../core/cursors/read-token-in-room.ts';
import type { Deps } from '../../core/deps.ts';
import { endOf, formatPosition, positionOf, readTokenParameter } from '../../core/model/position.ts';
import { formatSyncToken, NO_FILTER } from '../../core/protocol/mod.ts';
import { refuseBlocked } from '../../core/refusals/refuse-blocked.ts';
import { pageSize } from '../../core/timeline/page-size.ts';
import { readSelected } from '../../core/timeline/read-page.ts';
import { readAccess } from '../../core/visibility/read-access.ts';
import { selectVisible } from '../../core/visibility/select-events.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';

/** Lists the events of a room since a token (client-plane.md 7.10); none if the request names no room. */
export async function peekEvents(deps: Deps, request: PeekEventsRequest, context: HandlerContext) {
  const caller = requester(context);
  const token = readTokenParameter(request.from);
  if (request.roomId === undefined) {
    const end = token && request.from !== undefined ? request.from : formatSyncToken(0);
    return { chunk: [], start: end, end };
  }
  await refuseBlocked(deps, request.roomId);
  const access = await readAccess(deps, request.roomId, caller.userId);
  const start = await readTokenInRoom(deps, caller, access.roomId, request.from);
  const from = start ? positionOf(access.room, start, 'f') : endOf(access.room);
  const page = await readSelected(
    deps,
    {
      roomId: access.roomId,
      direction: 'f',
      from,
      limit: pageSize(undefined),
      until: access.arrival,
      horizon: access.room.horizon,
    },
    selectVisible(deps, access, caller, NO_FILTER),
  );
  return {
    chunk: await showEvents(deps, page.events, clientOptionsOf(deps, access, caller)),
    start: token && request.from !== undefined ? request.from : formatPosition(from),
    end: formatPosition(page.end ?? from),
  };
}
