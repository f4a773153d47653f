import type { HandlerContext } from '@connectrpc/connect';
import type { ListMessagesRequest } from '@steward/proto/steward/room/v1/timeline_pb.ts';
import { requester } from '@steward/rpc';
import { readTokenInRoom } from '../../core/cursors/read-token-in-room.ts';
import type { Deps } from '../../core/deps.ts';
import { formatPosition, positionOf } from '../../core/model/position.ts';
import { NO_FILTER, readEventFilter } from '../../core/protocol/mod.ts';
import { toClientEvents } from '../../core/reading/client-events.ts';
import { membersOfSenders } from '../../core/reading/members-of-senders.ts';
import { awaitPurges } from '../../core/timeline/await-purges.ts';
import { pageSize } from '../../core/timeline/page-size.ts';
import { readSelected } from '../../core/timeline/read-page.ts';
import { readAccess } from '../../core/visibility/read-access.ts';
import { selectVisible } from '../../core/visibility/select-events.ts';
import { showEvents } from '../../core/visibility/show-events.ts';
import { clientOptionsOf } from '../../core/visibility/visible-events.ts';

/** Lists a page of the events of a room (client-plane.md 7.10). */
export async function listMessages(deps: Deps, request: ListMessagesRequest, context: HandlerContext) {
  const caller = requester(context);
  const direction = request.dir === 'b' ? 'b' : 'f';
  const fromToken = await readTokenInRoom(deps, caller, request.roomId, request.from);
  const toToken = await readTokenInRoom(deps, caller, request.roomId, request.to);
  const filter = request.filter === undefined ? NO_FILTER : readEventFilter(request.filter);
  await awaitPurges(deps, request.roomId);
  const access = await readAccess(deps, request.roomId, caller.userId);
  const from = positionOf(access.room, fromToken, direction);
  const page = await readSelected(
    deps,
    {
      roomId: access.roomId,
      direction,
      from,
      to: toToken && positionOf(access.room, toToken, direction),
      limit: pageSize(request.limit),
      until: access.arrival,
      horizon: access.room.horizon,
    },
    selectVisible(deps, access, caller, filter),
  );
  const [first] = page.events;
  const senders = filter.lazyLoadMembers
    ? await membersOfSenders(
        deps,
        { roomId: access.roomId, arrival: first?.document.arrival ?? 0 },
        page.events.map(({ document }) => document.sender),
      )
    : undefined;
  const options = clientOptionsOf(deps, access, caller);
  return {
    start: fromToken && request.from !== undefined ? request.from : formatPosition(from),
    ...(page.end ? { end: formatPosition(page.end) } : {}),
    chunk: await showEvents(deps, page.events, { ...options, form: filter.eventFormat }),
    ...(senders ? { state: `[${await toClientEvents(deps, senders, options)}]` } : {}),
  };
}
